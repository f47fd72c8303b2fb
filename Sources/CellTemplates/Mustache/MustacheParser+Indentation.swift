/// The indentation of the content of a block, which is removed from each of its lines.
extension MustacheParser {
  /// The leading white space of the first nonblank line after a block's opening tag.
  func firstIndentation(from start: Int, to end: Int) -> Range<Int>? {
    let bytes = source.bytes
    var position = start
    while position < end, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    while position < end {
      let line = position + 1
      position = line
      while position < end, MustacheLines.isBlank(bytes[position]) { position += 1 }
      if position >= end { return nil }
      let isBlank =
        bytes[position] == UInt8(ascii: "\n")
        || (bytes[position] == UInt8(ascii: "\r") && position + 1 < end
          && bytes[position + 1] == UInt8(ascii: "\n"))
      if !isBlank { return line..<position }
      while position < end, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    }
    return nil
  }

  /// Removes the indentation that each line shares with `prefix` from all lines of a block's content.
  func dedent(_ nodes: [MustacheNode], by prefix: Range<Int>) -> [MustacheNode] {
    if prefix.isEmpty { return nodes }
    var result: [MustacheNode] = []
    var followsLineStart = false
    for node in nodes {
      var isLineStart = false
      switch node {
      case .lineStart:
        result.append(node)
        isLineStart = true
      case .text(let range):
        let rest = followsLineStart ? strip(prefix, from: range) : range
        if !rest.isEmpty { result.append(.text(rest)) }
      case .variable:
        result.append(node)
      case .section(let name, let isInverted, let plural, let content, let at):
        result.append(
          .section(
            name, isInverted: isInverted, plural: plural, content: dedent(content, by: prefix), at: at))
      case .partial(var call):
        call.indentation = strip(prefix, from: call.indentation)
        result.append(.partial(call))
      case .parent(var call, let overrides):
        call.indentation = strip(prefix, from: call.indentation)
        result.append(.parent(call, overrides: overrides))
      case .block(var block):
        block.indentation = strip(prefix, from: block.indentation)
        block.content = dedent(block.content, by: prefix)
        result.append(.block(block))
      }
      followsLineStart = isLineStart
    }
    return result
  }

  private func strip(_ prefix: Range<Int>, from range: Range<Int>) -> Range<Int> {
    var length = 0
    while length < prefix.count, length < range.count,
      source.bytes[prefix.lowerBound + length] == source.bytes[range.lowerBound + length]
    { length += 1 }
    return range.lowerBound + length..<range.upperBound
  }
}
