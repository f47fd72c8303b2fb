/// Finds tags that stand alone on their lines and removes the white space of these lines.
///
/// Source: the Mustache spec, "standalone" for sections, inverted sections, comments, delimiters and
/// partials. The inheritance module adds parents and blocks, whose end tags may be on the same line.
struct MustacheLines {
  private let bytes: [UInt8]
  private var tokens: [MustacheToken]
  /// What is left of each text token, initially the token's whole range.
  private var kept: [Range<Int>]

  init(_ tokens: [MustacheToken], in bytes: [UInt8]) {
    self.bytes = bytes
    self.tokens = tokens
    kept = tokens.map { if case .text(let range) = $0 { range } else { 0..<0 } }
  }

  /// The tokens with standalone lines removed and empty texts omitted.
  mutating func resolve() -> [MustacheToken] {
    let pairs = Pairs(tokens)
    for index in tokens.indices {
      guard case .tag(let tag) = tokens[index] else { continue }
      switch tag.kind {
      case .variable, .raw:
        continue
      case .parent:
        guard let end = pairs.end[index] else { continue }
        if let before = lineBefore(index) { mark(index, indentation: before, standsAlone: false) }
        if let before = lineBefore(index), let after = lineAfter(end) {
          remove(before: index, before, after: end, after)
          mark(index, indentation: before, standsAlone: true)
        }
      case .end where pairs.parentEnds.contains(index):
        continue
      case .block where pairs.isOverride(index):
        // Anything else on the line is text inside a parent tag, which is ignored.
        if let after = lineAfter(index) {
          remove(after: index, after)
          mark(index, indentation: 0..<0, standsAlone: true)
        }
      case .end where pairs.overrideEnds.contains(index):
        if let before = lineBefore(index) { remove(before: index, before) }
      default:
        guard let before = lineBefore(index) else { continue }
        mark(index, indentation: before, standsAlone: false)
        guard let after = lineAfter(index) else { continue }
        remove(before: index, before, after: index, after)
        mark(index, indentation: before, standsAlone: true)
      }
    }
    return tokens.indices.compactMap { index in
      guard case .text = tokens[index] else { return tokens[index] }
      return kept[index].isEmpty ? nil : .text(kept[index])
    }
  }

  private mutating func mark(_ index: Int, indentation: Range<Int>, standsAlone: Bool) {
    guard case .tag(var tag) = tokens[index] else { return }
    tag.indentation = indentation
    tag.standsAlone = standsAlone
    tokens[index] = .tag(tag)
  }

  private mutating func remove(before index: Int, _ before: Range<Int>, after end: Int, _ after: Range<Int>) {
    remove(before: index, before)
    remove(after: end, after)
  }

  private mutating func remove(before index: Int, _ before: Range<Int>) {
    if !before.isEmpty {
      kept[index - 1] = kept[index - 1].lowerBound..<max(kept[index - 1].lowerBound, before.lowerBound)
    }
  }

  private mutating func remove(after index: Int, _ after: Range<Int>) {
    if !after.isEmpty {
      kept[index + 1] = min(after.upperBound, kept[index + 1].upperBound)..<kept[index + 1].upperBound
    }
  }

  /// The white space between the start of the line and the tag; nil if there is anything else.
  private func lineBefore(_ index: Int) -> Range<Int>? {
    guard case .tag(let tag) = tokens[index] else { return nil }
    let end = tag.range.lowerBound
    guard index > 0 else { return end..<end }
    guard case .text(let text) = tokens[index - 1] else { return nil }
    var start = text.upperBound
    while start > text.lowerBound, Self.isBlank(bytes[start - 1]) { start -= 1 }
    if start > text.lowerBound { return bytes[start - 1] == UInt8(ascii: "\n") ? start..<end : nil }
    return index == 1 ? start..<end : nil
  }

  /// The white space between the tag and the end of its line, including the newline; nil if there is anything
  /// else.
  private func lineAfter(_ index: Int) -> Range<Int>? {
    guard case .tag(let tag) = tokens[index] else { return nil }
    let start = tag.range.upperBound
    guard index + 1 < tokens.count else { return start..<start }
    guard case .text(let text) = tokens[index + 1] else { return nil }
    var end = text.lowerBound
    while end < text.upperBound, Self.isBlank(bytes[end]) { end += 1 }
    if end == text.upperBound { return index + 2 == tokens.count ? start..<end : nil }
    if bytes[end] == UInt8(ascii: "\n") { return start..<end + 1 }
    if bytes[end] == UInt8(ascii: "\r"), end + 1 < text.upperBound, bytes[end + 1] == UInt8(ascii: "\n") {
      return start..<end + 2
    }
    return nil
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension MustacheLines {
  /// Matches end tags with opening tags. Mismatches are left for the parser to report.
  private struct Pairs {
    var end: [Int: Int] = [:]
    var parentEnds: Set<Int> = []
    var overrideEnds: Set<Int> = []
    private var overrides: Set<Int> = []

    init(_ tokens: [MustacheToken]) {
      var stack: [(index: Int, tag: MustacheTag)] = []
      for (index, token) in tokens.enumerated() {
        guard case .tag(let tag) = token else { continue }
        switch tag.kind {
        case .section, .inverted, .parent:
          stack.append((index, tag))
        case .block:
          if stack.last?.tag.kind == .parent { overrides.insert(index) }
          stack.append((index, tag))
        case .end:
          guard let opened = stack.last, opened.tag.name.utf8.elementsEqual(tag.name.utf8) else { continue }
          stack.removeLast()
          end[opened.index] = index
          if opened.tag.kind == .parent { parentEnds.insert(index) }
          if overrides.contains(opened.index) { overrideEnds.insert(index) }
        default:
          continue
        }
      }
    }

    func isOverride(_ index: Int) -> Bool { overrides.contains(index) }
  }
}
