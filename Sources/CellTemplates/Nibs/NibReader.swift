/// Finds the cells of a nib and its styles. Everything else is scenery, which is parsed like in a browser and
/// ignored.
///
/// In scenery, `{{` is text. In a cell it opens a Mustache tag, which may contain characters that would end
/// or start an HTML tag. So from the first byte of a cell on, Mustache tags are skipped. Delimiters set by
/// the cell are reset at its end.
struct NibReader {
  let source: TemplateSource
  let bytes: [UInt8]
  var cells: [TemplateSource] = []
  private(set) var styles: [String] = []
  /// The `lang` of the `<html>`.
  private(set) var language: String?
  private(set) var diagnostics: [Diagnostic] = []
  private var open: OpenElements
  /// The start of the current `<style>` element, unless it is design-only.
  private var styleStart: Int?
  private var position: Int
  let budget: LoadBudget
  /// For all cells: how many bytes may be searched in vain for the end of a tag. Unclosed tags are errors of
  /// their cells; if there were many, each search would reach the end of the file.
  private var vainBytes: Int

  init(_ source: TemplateSource, budget: LoadBudget) {
    self.source = source
    self.budget = budget
    open = OpenElements(budget: budget)
    vainBytes = 8 * source.bytes.count
    bytes = source.bytes
    position = bytes.starts(with: TemplateSource.byteOrderMark) ? TemplateSource.byteOrderMark.count : 0
  }

  // MARK: Scenery

  mutating func read() {
    defer { open.releaseAll() }
    var tokenizer = HTMLTokenizer()
    var collector = HTMLTagCollector()
    var end = 0
    while position < bytes.count {
      let start = position
      defer { budget.spend(1 + position - start) }
      if budget.isSpent { return }
      if end <= position { end = behindNext(UInt8(ascii: ">"), from: position) }
      if let brace = tagLike(from: position, to: end) {
        tokenizer.feed(position..<brace, of: bytes, &collector)
        position = brace
        // In a start tag, it may belong to a cell whose identifier follows.
        if tokenizer.isInTag, let closed = behindTagLike(at: brace) {
          position = closed
        } else {
          tokenizer.feed(brace..<brace + 2, of: bytes, &collector)
          position = brace + 2
        }
        continue
      }
      tokenizer.feed(position..<end, of: bytes, &collector)
      position = end
      guard let tag = collector.take() else { continue }
      if !tag.isEnd, tag.attribute(.cell) != nil {
        readCell(from: tag)
        tokenizer = HTMLTokenizer()
      } else {
        readScenery(tag)
      }
      collector.isForeign = open.isForeign
      tokenizer.isForeign = open.isForeign
    }
  }

  private mutating func readScenery(_ tag: HTMLTag) {
    if tag.isEnd {
      if tag.isNamed("style"), let start = styleStart {
        addStyle(start..<tag.range.upperBound)
        styleStart = nil
      }
      open.close(tag)
      return
    }
    let isForDesigner = tag.attribute(.design) != nil
    if tag.isNamed("template"), open.isTop, !isForDesigner {
      report(
        .missingIdentifier, at: tag.range.lowerBound, "this template has no identifier",
        hint: "name the cell: <template data-cell=\"news\">; or mark it as design-only: data-design")
    }
    if tag.isNamed("html"), language == nil, let value = tag.attribute(.lang)?.value {
      language = String(decoding: ReferenceDecoder.decoded(bytes[value]), as: UTF8.self)
    }
    if !isForDesigner, !open.isForDesigner { warnOfSceneryAttribute(tag) }
    if tag.isNamed("style"), !isForDesigner { styleStart = tag.range.lowerBound }
    if tag.isNamed("link"), !isForDesigner, linksStyles(tag) { addStyle(tag.range) }
    open.open(tag)
  }

  /// Warns of the first attribute that does something in cells alone.
  private mutating func warnOfSceneryAttribute(_ tag: HTMLTag) {
    if tag.attributes.isEmpty { return }
    let names = HTMLTag.AttributeName.ofElements + [.classes, .raw]
    let found = names.compactMap { name in tag.attribute(name).map { (name.rawValue, $0.at) } }
    guard let (name, at) = found.min(by: { $0.1 < $1.1 }) else { return }
    report(
      .sceneryAttribute, at: at, "\(name) does nothing here, outside of all cells",
      hint: "move the element into a cell, or name a cell around it: data-cell=\"news\"; "
        + "if only the designer needs it, mark it: data-design")
  }

  private mutating func addStyle(_ range: Range<Int>) {
    if budget.keep(pieces: 1) { styles.append(source.text(range)) }
  }

  private func linksStyles(_ tag: HTMLTag) -> Bool {
    guard let value = tag.attribute(.rel)?.value, tag.attribute(.href) != nil else { return false }
    return HTMLWords(ReferenceDecoder.decoded(bytes[value])[...]).contains {
      $0.lazy.map(HTMLTokenizer.lowercased).elementsEqual("stylesheet".utf8)
    }
  }

  /// The offset after the next `byte`; the end if there is none.
  private func behindNext(_ byte: UInt8, from start: Int) -> Int {
    var position = start
    while position < bytes.count, bytes[position] != byte { position += 1 }
    return min(position + 1, bytes.count)
  }

  private func tagLike(from start: Int, to end: Int) -> Int? {
    var position = start
    while position + 1 < end {
      if bytes[position] == UInt8(ascii: "{"), bytes[position + 1] == UInt8(ascii: "{") { return position }
      position += 1
    }
    return nil
  }

  /// The offset after the `}}`, if it comes before another `{{`.
  private func behindTagLike(at start: Int) -> Int? {
    var position = start + 2
    while position + 1 < bytes.count {
      if bytes[position] == UInt8(ascii: "}"), bytes[position + 1] == UInt8(ascii: "}") {
        return position + 2
      }
      if bytes[position] == UInt8(ascii: "{"), bytes[position + 1] == UInt8(ascii: "{"), position > start + 2
      {
        return nil
      }
      position += 1
    }
    return nil
  }

  // MARK: Cells

  /// Reads the cell whose start tag was found, and continues after it.
  private mutating func readCell(from found: HTMLTag) {
    var mustache = MustacheScanner(source, budget: budget)
    mustache.vainBytes = vainBytes
    let namespace = open.namespace
    open.beginCell()
    defer {
      vainBytes = mustache.vainBytes
      open.endCell()
    }
    var tokenizer = HTMLTokenizer()
    var collector = HTMLTagCollector()
    var depth = 0
    var root = found
    position = found.range.lowerBound
    var end = 0
    while position < bytes.count {
      let start = position
      defer { budget.spend(1 + position - start) }
      if budget.isSpent { return }
      collector.isForeign = open.isForeign
      tokenizer.isForeign = open.isForeign
      if end <= position { end = behindNext(UInt8(ascii: ">"), from: position) }
      if let tag = mustache.nextTag(from: position, before: end) {
        tokenizer.feed(position..<tag, of: bytes, &collector)
        let isComment = mustache.isComment(at: tag)
        if let next = mustache.skipTag(at: tag) {
          if tokenizer.isInValue { collector.hole() }
          if !isComment, tokenizer.isInTag || tokenizer.isInValue { collector.hole(at: tag) }
          position = next
        } else {
          // Reported when the cell itself is parsed.
          tokenizer.feed(tag..<tag + 1, of: bytes, &collector)
          position = tag + 1
        }
        if collector.complete == nil { continue }
      } else {
        tokenizer.feed(position..<end, of: bytes, &collector)
        position = end
      }
      guard let tag = collector.take() else { continue }
      let isRoot = tag.range.lowerBound == found.range.lowerBound
      if isRoot { root = tag }
      if !isRoot, !tag.isEnd, let nested = tag.attribute(.cell) {
        report(
          .nestedCell, at: nested.at,
          "a cell is nested in the cell that starts at \(lineAndColumn(at: found.range.lowerBound))",
          hint: "move the inner cell out, and draw a stand-in for it here: data-include=\"KIND\"")
      }
      if tag.name == found.name {
        let isEmpty = OpenElements.isVoid(ExactString(decoding: tag.name)) && !open.isForeign
        if tag.isEnd { depth -= 1 } else if !isEmpty, !(tag.isSelfClosing && open.isForeign) { depth += 1 }
        if depth == 0 {
          endCell(root, end: tag, in: namespace)
          return
        }
      }
      if tag.isEnd { open.close(tag) } else { open.open(tag) }
    }
    report(
      .unclosedCell, at: found.range.lowerBound,
      "the cell's element <\(String(decoding: found.name, as: UTF8.self))> is never closed",
      hint: "close it with </\(String(decoding: found.name, as: UTF8.self))>")
  }

  private func lineAndColumn(at offset: Int) -> String {
    let position = source.position(of: offset)
    return "\(position.line):\(position.column)"
  }

  mutating func report(_ code: DiagnosticCode, at offset: Int, _ message: String, hint: String) {
    let diagnostic = Diagnostic(code, in: source, at: offset, message, hint: hint)
    if budget.keep(diagnostic) { diagnostics.append(diagnostic) }
  }
}
