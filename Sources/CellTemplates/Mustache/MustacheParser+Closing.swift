/// The ends of sections, parents and blocks.
extension MustacheParser {
  mutating func end(_ tag: MustacheTag) {
    // The names may differ in their last letters alone.
    budget.spend(openTags.count * tag.name.utf8.count / 16)
    guard let depth = openTags.lastIndex(where: { matches($0, tag) }) else {
      if openTags.count > 1, let opened = openTags.last?.tag {
        report(
          .mismatchedEnd, tag,
          "{{/\(tag.name)}} does not close {{\(opened.sigil)\(NameRule.shown(opened.name.utf8))}}, which was opened last",
          hint: "close it with {{/\(NameRule.shown(opened.name.utf8))}}")
        openTags[openTags.count - 1].isReported = true
      } else {
        report(
          .unexpectedEnd, tag, "{{/\(tag.name)}} closes nothing",
          hint: "open it with {{#\(tag.name)}} first, or remove it")
      }
      return
    }
    closeAll(downTo: depth + 1)
    if let opened = openTags.last?.tag, opened.kind == .section || opened.kind == .inverted, !tag.standsAlone
    {
      startLine()
    }
    let opened = openTags.removeLast()
    close(opened, with: tag)
  }

  private func matches(_ opened: OpenTag, _ end: MustacheTag) -> Bool {
    guard let tag = opened.tag, tag.isDynamic == end.isDynamic else { return false }
    return tag.name.utf8.elementsEqual(end.name.utf8)
      || opened.ends.contains { $0.utf8.elementsEqual(end.name.utf8) }
  }

  /// Closes all open tags but the first `depth`, and reports each as unclosed.
  mutating func closeAll(downTo depth: Int) {
    while openTags.count > depth {
      let opened = openTags.removeLast()
      guard let tag = opened.tag else { return }
      let noun = tag.kind == .block ? "block" : tag.kind == .parent ? "parent" : "section"
      if !opened.isReported {
        report(
          .unclosedSection, tag, "the \(noun) \"\(tag.name)\" is never closed",
          hint: "close it with {{/\(tag.isDynamic ? "*" : "")\(tag.name)}}")
      }
      close(opened, with: nil)
    }
  }

  private mutating func close(_ opened: OpenTag, with end: MustacheTag?) {
    guard let tag = opened.tag else { return }
    let at = tag.range.lowerBound
    switch tag.kind {
    case .section, .inverted:
      // If the name was invalid, the content is kept so that its errors are found too.
      var name = opened.name.segments.isEmpty ? MustacheName(segments: ["."]) : opened.name
      name.isOfPlural = opened.plural != nil
      add(
        .section(
          name, isInverted: tag.kind == .inverted, plural: opened.plural, content: opened.nodes, at: at))
    case .parent:
      isAtLineStart = tag.standsAlone
      if let call = call(of: tag) {
        add(.parent(call, overrides: opened.overrides))
      } else {
        for block in opened.overrides { add(.block(block)) }
      }
    case .block:
      closeBlock(opened, tag: tag, end: end)
    default:
      return
    }
  }

  private mutating func closeBlock(_ opened: OpenTag, tag: MustacheTag, end: MustacheTag?) {
    let isOverride = openTags.last?.tag?.kind == .parent
    let contentEnd = end?.range.lowerBound ?? source.content.upperBound
    let firstLine = tag.standsAlone ? firstIndentation(from: tag.range.upperBound, to: contentEnd) : nil
    var block = MustacheBlock(
      name: tag.name, content: opened.nodes, contentStartsLine: tag.standsAlone,
      opensLine: tag.standsAlone && !isOverride, indentation: firstLine ?? tag.indentation,
      at: tag.range.lowerBound)
    if isOverride {
      if let firstLine { block.content = dedent(block.content, by: firstLine) }
      openTags[openTags.count - 1].overrides.append(block)
    } else {
      if let end, !end.standsAlone { startLine(inBlock: &block) }
      add(.block(block))
    }
  }

  /// A line that starts right before the end of a block belongs to its content.
  mutating func startLine(inBlock block: inout MustacheBlock) {
    if isAtLineStart { block.content.append(.lineStart(isBlank: false)) }
    isAtLineStart = false
  }
}
