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
  let budget: LoadBudget
  private let formats: NamedFormats
  var openTags: [OpenTag]
  /// Whether the next element is at the start of a line of the template.
  var isAtLineStart = true
  private var diagnostics: [Diagnostic] = []

  /// An open section, parent or block.
  struct OpenTag {
    let tag: MustacheTag?
    let name: MustacheName
    var plural: PluralRule?
    var nodes: [MustacheNode] = []
    var overrides: [MustacheBlock] = []
    /// Other names that may close it, if it is written as in another language.
    var ends: [String] = []
    /// Whether it was reported, so that it is not reported as unclosed, too.
    var isReported = false
  }

  private init(_ source: TemplateSource, _ formats: NamedFormats, _ budget: LoadBudget) {
    self.source = source
    self.formats = formats
    self.budget = budget
    openTags = [OpenTag(tag: nil, name: MustacheName(segments: []))]
  }

  static func parse(
    _ source: TemplateSource, formats: NamedFormats = .none, budget: LoadBudget
  ) -> Result {
    var scanner = MustacheScanner(source, to: source.content.upperBound, budget: budget)
    let scanned = scanner.scan(from: source.content.lowerBound)
    var lines = MustacheLines(scanned, in: source.bytes)
    var parser = MustacheParser(source, formats, budget)
    for token in lines.resolve() {
      switch token {
      case .text(let range): parser.text(range)
      case .tag(let tag): parser.tag(tag)
      }
      // Nesting this deep was not written by hand. The rest is not parsed, so that the tree stays shallow.
      if parser.openTags.count > nestingLimit + 1 || budget.isSpent { break }
    }
    if parser.openTags.count <= nestingLimit + 1 { parser.closeAll(downTo: 1) }
    parser.warnOfForeignText()
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
  mutating func startLine(isBlank: Bool = false) {
    if isAtLineStart { add(.lineStart(isBlank: isBlank)) }
    isAtLineStart = false
  }

  mutating func add(_ node: MustacheNode) {
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
      if let lesson = lesson(for: tag) {
        report(.foreignTag, tag, lesson.message, hint: lesson.hint)
        return
      }
      guard let name = name(of: tag) else { return }
      warnOfForeignName(tag, name)
      add(.variable(name, isRaw: tag.kind == .raw, format: format(of: tag), at: tag.range.lowerBound))
    case .partial:
      if !tag.standsAlone { startLine() }
      if let call = call(of: tag) { add(.partial(call)) }
    case .section, .inverted:
      if !tag.standsAlone { startLine() }
      if let lesson = lesson(for: tag) {
        report(.foreignTag, tag, lesson.message, hint: lesson.hint)
        // Such an opposite has no end of its own.
        if !tag.name.isEmpty { open(tag, name: nil, ends: lesson.ends) }
      } else if let name = name(of: tag) {
        warnOfForeignName(tag, name)
        open(tag, name: name, plural: plural(of: tag))
      } else {
        // Its end may name the first word alone.
        let word = tag.name.utf8.prefix { !MustacheScanner.isSpace($0) }
        open(tag, name: nil, ends: word.isEmpty ? [] : [String(decoding: word, as: UTF8.self)])
        openTags[openTags.count - 1].isReported = tag.name.isEmpty
      }
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
      openBlock(tag)
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

  private func lesson(for tag: MustacheTag) -> ForeignSyntax.Lesson? {
    let opened = openTags.last { $0.tag?.kind == .section || $0.tag?.kind == .inverted }
    return ForeignSyntax.lesson(for: tag, isInSection: opened != nil) {
      opened.map { $0.ends.last ?? $0.name.text }
    }
  }

  private mutating func open(
    _ tag: MustacheTag, name: MustacheName?, plural: PluralRule? = nil, ends: [String] = []
  ) {
    if openTags.count == Self.nestingLimit + 1 {
      report(
        .nestedTooDeep, tag, "sections are nested deeper than \(Self.nestingLimit)",
        hint: "move the inner ones into a partial")
    }
    openTags.append(OpenTag(tag: tag, name: name ?? MustacheName(segments: []), plural: plural, ends: ends))
  }

  /// Opens a block or an override. A name that is too long is reported and cut: names are compared wherever blocks may be
  /// overridden.
  private mutating func openBlock(_ tag: MustacheTag) {
    if tag.name.isEmpty { reportEmptyName(tag) }
    guard let fault = NameRule.fault(in: tag.name.utf8) else {
      open(tag, name: nil)
      return
    }
    let shown = NameRule.shown(tag.name.utf8)
    report(
      .invalidName, tag, "the block's name \"\(shown)\" \(fault)", hint: "give it a short name: {{$title}}")
    open(tag.named(shown), name: nil, ends: [tag.name])
  }

  /// Warns of a name that is probably meant as in another language, or as a format.
  private mutating func warnOfForeignName(_ tag: MustacheTag, _ name: MustacheName) {
    guard let lesson = ForeignSyntax.lesson(for: name, isFormat: { [formats] in formats.contain($0) }) else {
      return
    }
    report(.foreignText, tag, lesson.message, hint: lesson.hint)
  }

  private mutating func warnOfForeignText() {
    guard budget.spend(source.content.count) else { return }
    for (at, lesson) in ForeignSyntax.inText(of: source.bytes[source.content]) {
      report(.foreignText, at: at, lesson.message, hint: lesson.hint)
    }
  }

  // MARK: Names

  mutating func name(of tag: MustacheTag) -> MustacheName? {
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
        hint: tag.name.utf8.contains(UInt8(ascii: "|"))
          ? "write white space before the bar of a format: {{price | number}}"
          : tag.name.utf8.firstRange(of: " ?? ".utf8) != nil
            ? "write a section for each: {{#x}}{{x}}{{/x}}{{^x}}{{y}}{{/x}}, or send the value"
            : "write one name in each tag: {{name}}")
      return nil
    }
    if segments.contains("") {
      report(
        .invalidName, tag, "the name \"\(tag.name)\" has an empty part next to a dot",
        hint: tag.name.hasPrefix("../")
          ? "write the name alone: names are looked up outward; those of the row are {{@row.name}}"
          : "write single dots between the parts: {{author.name}}")
      return nil
    }
    return MustacheName(segments: segments)
  }

  mutating func call(of tag: MustacheTag) -> MustacheCall? {
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

  // MARK: Formats

  /// The format after the tag's bar.
  private mutating func format(of tag: MustacheTag) -> WrittenFormat? {
    guard let range = tag.format else { return nil }
    if tag.kind == .raw, source.mode == .html {
      report(
        .invalidFormat, at: range.lowerBound, "a raw value takes no format: what a format prints is text",
        hint: "write {{\(NameRule.shown(tag.name.utf8)) | …}}")
      return nil
    }
    do throws(FormatParser.Fault) {
      return try FormatParser.format(Array(source.bytes[range]), own: formats)
    } catch {
      report(error.code, at: range.lowerBound + error.offset, error.message, hint: error.hint)
      return nil
    }
  }

  /// The rule for plurals after the bar of a section.
  private mutating func plural(of tag: MustacheTag) -> PluralRule? {
    guard let range = tag.format else { return nil }
    do throws(FormatParser.Fault) {
      let rule = try FormatParser.plural(Array(source.bytes[range]))
      budget.keep(pieces: rule.numbers.count / LoadBudget.literalsPerPiece)
      return rule
    } catch {
      report(error.code, at: range.lowerBound + error.offset, error.message, hint: error.hint)
      return nil
    }
  }

  mutating func report(_ code: DiagnosticCode, _ tag: MustacheTag, _ message: String, hint: String) {
    report(code, at: tag.range.lowerBound, message, hint: hint)
  }

  private mutating func report(_ code: DiagnosticCode, at position: Int, _ message: String, hint: String) {
    let diagnostic = Diagnostic(code, in: source, at: position, message, hint: hint)
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
