/// Tags that are alone in a comment: `<!--{{>b}}-->`, `<!--{{$title}}-->…<!--{{/title}}-->`.
///
/// Not of the walker, which is large: the walk calls these in each of its nested sections.
extension TemplateSource {
  /// The partial, parent or block at a place of a list, if it is alone in its comment: `<!--{{>b}}-->`,
  /// `<!--{{$title}}-->…<!--{{/title}}-->`. Its content is without the ends of the comments.
  func aloneInComment(_ position: Int, of nodes: [MustacheNode]) -> MustacheNode? {
    guard position > 0, case .text(let before) = nodes[position - 1], ends(before, in: Self.opening),
      position + 1 < nodes.count, case .text(let after) = nodes[position + 1],
      starts(after, with: Self.closing)
    else { return nil }
    switch nodes[position] {
    case .partial: return nodes[position]
    case .parent(let call, let overrides):
      // Its first tag ends a comment of its own, unless there is nothing in it.
      guard let first = overrides.first else { return nodes[position] }
      let own = bytes[call.at..<max(call.at, first.at)]
      return own.firstRange(of: Self.closing) == nil ? nil : nodes[position]
    case .block(let block):
      if block.content.isEmpty { return nodes[position] }
      return content(betweenComments: block.content) == nil ? nil : .block(withoutComments(block))
    case .lineStart, .text, .variable, .section: return nil
    }
  }

  func withoutComments(_ blocks: [MustacheBlock]) -> [MustacheBlock] { blocks.map(withoutComments) }

  /// The block, whose tags may each be alone in a comment.
  func withoutComments(_ block: MustacheBlock) -> MustacheBlock {
    guard let content = content(betweenComments: block.content) else { return block }
    var bare = block
    bare.content = content
    return bare
  }

  /// Content that begins with the end of one comment and ends with the start of another, without them; nil if it
  /// does not.
  private func content(betweenComments nodes: [MustacheNode]) -> [MustacheNode]? {
    guard case .text(let first)? = nodes.first, starts(first, with: Self.closing),
      case .text(let last)? = nodes.last,
      ends(last, in: Self.opening), last.count + (nodes.count > 1 ? first.count : 0) >= Self.marksBytes
    else { return nil }
    var rest = nodes
    rest[0] = .text(first.lowerBound + Self.closing.count..<first.upperBound)
    if case .text(let range) = rest[rest.count - 1] {
      rest[rest.count - 1] = .text(range.lowerBound..<range.upperBound - Self.opening.count)
    }
    return rest
  }

  private static let opening = Array("<!--".utf8)
  private static let closing = Array("-->".utf8)
  private static let marksBytes = opening.count + closing.count

  private func starts(_ range: Range<Int>, with mark: [UInt8]) -> Bool {
    bytes[range].starts(with: mark)
  }

  private func ends(_ range: Range<Int>, in mark: [UInt8]) -> Bool {
    bytes[range].suffix(mark.count).elementsEqual(mark)
  }
}
