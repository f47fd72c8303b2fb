/// Parses one template into a tree. Reports every error, each with its position and a hint.
///
/// The language is the Mustache spec with its inheritance and dynamic names modules.
struct MustacheParser {
  /// The most nested sections, parents and blocks.
  static let nestingLimit = 200

  struct Result {
    let nodes: [MustacheNode]
    let allowsRaw: Bool
    let diagnostics: [Diagnostic]
  }

  let source: TemplateSource
  private let budget: LoadBudget
  private var openTags: [OpenTag]
  /// Whether the next element is at the start of a line of the template.
  private var isAtLineStart = true
  private var diagnostics: [Diagnostic] = []

  /// An open section, parent or block.
  private struct OpenTag {
    let tag: MustacheTag?
    let name: MustacheName
    var nodes: [MustacheNode] = []
    var overrides: [MustacheBlock] = []
  }

  private init(_ source: TemplateSource, _ budget: LoadBudget) {
    self.source = source
    self.budget = budget
    openTags = [OpenTag(tag: nil, name: MustacheName(segments: []))]
  }

  static func parse(_ source: TemplateSource, budget: LoadBudget) -> Result {
    var scanner = MustacheScanner(source, to: source.content.upperBound, budget: budget)
    let scanned = scanner.scan(from: source.content.lowerBound)
    var lines = MustacheLines(scanned, in: source.bytes)
    var parser = MustacheParser(source, budget)
    for token in lines.resolve() {
      switch token {
      case .text(let range): parser.text(range)
      case .tag(let tag): parser.tag(tag)
      }
      // Nesting this deep was not written by hand. The rest is not parsed, so that the tree stays shallow.
      if parser.openTags.count > nestingLimit + 1 || budget.isSpent { break }
    }
    if parser.openTags.count <= nestingLimit + 1 { parser.closeAll(downTo: 1) }
    return Result(
      nodes: parser.openTags[0].nodes, allowsRaw: source.cell?.allowsRaw ?? optsIntoRaw(scanned, in: source),
      diagnostics: scanner.diagnostics + parser.diagnostics)
  }

  /// Whether the first line is `{{! raw: allow }}`.
  private static func optsIntoRaw(_ tokens: [MustacheToken], in source: TemplateSource) -> Bool {
    guard case .tag(let tag)? = tokens.first, tag.kind == .comment else { return false }
    let words = source.text(tag.range).dropFirst(3).dropLast(2).split(whereSeparator: \.isWhitespace)
    return words == ["raw:", "allow"]
  }

  // MARK: Text

  private mutating func text(_ range: Range<Int>) {
    var start = range.lowerBound
    while start < range.upperBound, !budget.isSpent {
      var end = start
      while end < range.upperBound, source.bytes[end] != UInt8(ascii: "\n") { end += 1 }
      let endsLine = end < range.upperBound
      let isBlank = end == start || (end == start + 1 && source.bytes[start] == UInt8(ascii: "\r"))
      let next = endsLine ? end + 1 : end
      startLine(isBlank: endsLine && isBlank)
      add(.text(start..<next))
      isAtLineStart = endsLine
      start = next
    }
  }

  /// Adds a line start if the next element starts a line and it was not added yet.
  private mutating func startLine(isBlank: Bool = false) {
    if isAtLineStart { add(.lineStart(isBlank: isBlank)) }
    isAtLineStart = false
  }

  private mutating func add(_ node: MustacheNode) {
    budget.keep(pieces: 1)
    openTags[openTags.count - 1].nodes.append(node)
  }

  // MARK: Tags

  private mutating func tag(_ found: MustacheTag) {
    let tag = checked(found)
    switch tag.kind {
    case .comment, .delimiters:
      return
    case .variable, .raw:
      startLine()
      guard let name = name(of: tag) else { return }
      add(.variable(name, isRaw: tag.kind == .raw, at: tag.range.lowerBound))
    case .partial:
      if !tag.standsAlone { startLine() }
      if let call = call(of: tag) { add(.partial(call)) }
    case .section, .inverted:
      if !tag.standsAlone { startLine() }
      open(tag, name: name(of: tag))
    case .parent:
      if !tag.standsAlone { startLine() }
      open(tag, name: nil)
    case .block:
      let isOverride = openTags.last?.tag?.kind == .parent
      if isOverride {
        isAtLineStart = tag.standsAlone
      } else if !tag.standsAlone {
        startLine()
      }
      if tag.name.isEmpty { reportEmptyName(tag) }
      open(tag, name: nil)
    case .end:
      end(tag)
    }
  }

  /// Reports control characters in the tag's name, and returns the tag with a name without them.
  private mutating func checked(_ tag: MustacheTag) -> MustacheTag {
    guard NameRule.holdsControl(tag.name.utf8) else { return tag }
    let name = NameRule.withoutControls(tag.name)
    // An end tag's name was already reported for its opening tag.
    if tag.kind != .end {
      report(
        .invalidName, tag, "the name \"\(NameRule.shown(name.utf8))\" contains a control character",
        hint: "write a name of visible characters: {{name}}")
    }
    return tag.named(name)
  }

  private mutating func open(_ tag: MustacheTag, name: MustacheName?) {
    if openTags.count == Self.nestingLimit + 1 {
      report(
        .nestedTooDeep, tag, "sections are nested deeper than \(Self.nestingLimit)",
        hint: "move the inner ones into a partial")
    }
    openTags.append(OpenTag(tag: tag, name: name ?? MustacheName(segments: [])))
  }

  private mutating func end(_ tag: MustacheTag) {
    guard let depth = openTags.lastIndex(where: { $0.tag != nil && matches($0.tag!, tag) }) else {
      if openTags.count > 1, let opened = openTags.last?.tag {
        report(
          .mismatchedEnd, tag,
          "{{/\(tag.name)}} does not close {{\(opened.sigil)\(NameRule.shown(opened.name.utf8))}}, which was opened last",
          hint: "close it with {{/\(NameRule.shown(opened.name.utf8))}}")
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

  private func matches(_ opened: MustacheTag, _ end: MustacheTag) -> Bool {
    opened.name.utf8.elementsEqual(end.name.utf8) && opened.isDynamic == end.isDynamic
  }

  /// Reports everything open above `depth` openTags as unclosed, and closes it.
  private mutating func closeAll(downTo depth: Int) {
    while openTags.count > depth {
      let opened = openTags.removeLast()
      guard let tag = opened.tag else { return }
      let noun = tag.kind == .block ? "block" : tag.kind == .parent ? "parent" : "section"
      report(
        .unclosedSection, tag, "the \(noun) \"\(tag.name)\" is never closed",
        hint: "close it with {{/\(tag.isDynamic ? "*" : "")\(tag.name)}}")
      close(opened, with: nil)
    }
  }

  private mutating func close(_ opened: OpenTag, with end: MustacheTag?) {
    guard let tag = opened.tag else { return }
    let at = tag.range.lowerBound
    switch tag.kind {
    case .section, .inverted:
      // If the name was invalid, the content is kept so that its errors are found too.
      let name = opened.name.segments.isEmpty ? MustacheName(segments: ["."]) : opened.name
      add(.section(name, isInverted: tag.kind == .inverted, content: opened.nodes, at: at))
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
  private mutating func startLine(inBlock block: inout MustacheBlock) {
    if isAtLineStart { block.content.append(.lineStart(isBlank: false)) }
    isAtLineStart = false
  }

  // MARK: Indentation of blocks

  /// The leading white space of the first nonblank line after a block's opening tag.
  private func firstIndentation(from start: Int, to end: Int) -> Range<Int>? {
    let bytes = source.bytes
    var place = start
    while place < end, bytes[place] != UInt8(ascii: "\n") { place += 1 }
    while place < end {
      let line = place + 1
      place = line
      while place < end, MustacheLines.isBlank(bytes[place]) { place += 1 }
      if place >= end { return nil }
      let isBlank =
        bytes[place] == UInt8(ascii: "\n")
        || (bytes[place] == UInt8(ascii: "\r") && place + 1 < end && bytes[place + 1] == UInt8(ascii: "\n"))
      if !isBlank { return line..<place }
      while place < end, bytes[place] != UInt8(ascii: "\n") { place += 1 }
    }
    return nil
  }

  /// Removes the indentation that each line shares with `prefix` from all lines of a block's content.
  private func dedent(_ nodes: [MustacheNode], by prefix: Range<Int>) -> [MustacheNode] {
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
      case .section(let name, let isInverted, let content, let at):
        result.append(.section(name, isInverted: isInverted, content: dedent(content, by: prefix), at: at))
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

  // MARK: Names

  private mutating func name(of tag: MustacheTag) -> MustacheName? {
    if tag.name == "." { return MustacheName(segments: ["."]) }
    if tag.name.isEmpty {
      reportEmptyName(tag)
      return nil
    }
    let dot = UInt8(ascii: ".")
    guard budget.keep(pieces: tag.name.utf8.count { $0 == dot }) else { return nil }
    // Splits bytes, so that a dot followed by a combining mark is still a dot.
    let segments = tag.name.utf8.split(separator: dot, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if tag.name.utf8.contains(where: MustacheScanner.isSpace) {
      report(
        .invalidName, tag, "the name \"\(tag.name)\" contains white space",
        hint: "write one name in each tag: {{name}}")
      return nil
    }
    if segments.contains("") {
      report(
        .invalidName, tag, "the name \"\(tag.name)\" has an empty part next to a dot",
        hint: "write single dots between the parts: {{author.name}}")
      return nil
    }
    return MustacheName(segments: segments)
  }

  private mutating func call(of tag: MustacheTag) -> MustacheCall? {
    let target: MustacheCall.Target
    if tag.isDynamic {
      guard let name = name(of: tag) else { return nil }
      target = .dynamic(name)
    } else {
      if tag.name.isEmpty {
        reportEmptyName(tag)
        return nil
      }
      target = .kind(tag.name)
    }
    return MustacheCall(
      target: target, standsAlone: tag.standsAlone, indentation: tag.standsAlone ? tag.indentation : 0..<0,
      at: tag.range.lowerBound)
  }

  private mutating func reportEmptyName(_ tag: MustacheTag) {
    report(.emptyName, tag, "this tag has no name", hint: "write a name, or {{.}} for the item itself")
  }

  private mutating func report(_ code: DiagnosticCode, _ tag: MustacheTag, _ message: String, hint: String) {
    let diagnostic = Diagnostic(code, in: source, at: tag.range.lowerBound, message, hint: hint)
    if budget.keep(diagnostic) { diagnostics.append(diagnostic) }
  }
}

extension MustacheTag {
  var sigil: String {
    switch kind {
    case .section: "#"
    case .inverted: "^"
    case .parent: isDynamic ? "<*" : "<"
    case .block: "$"
    case .partial: isDynamic ? ">*" : ">"
    case .raw: "&"
    case .end: "/"
    default: ""
    }
  }
}
