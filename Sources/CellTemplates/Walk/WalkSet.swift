/// Walks all HTML templates of a compilation, in each context they are called in.
///
/// A template called in element text is read later, from a queue: it ends where it begins. One that is called
/// inside a tag or a value is read at once, for the caller goes on where it ends.
final class WalkSet {
  let templates: [ParsedTemplate]
  let schemes: URLSchemes
  let budget: LoadBudget
  /// How often what repeats itself is read, at most, until it ends where it was taken to end.
  ///
  /// Each turn joins what was found with what was known, and never takes anything back. What can still change then is
  /// little: an attribute's name may be open or closed, a URL's or a style's place may become unclear, attributes of the
  /// template itself are added. Two or three turns do; a template that needs more than this many is refused.
  let passLimit: Int
  private let templateOfKind: [String: Int]
  private(set) var diagnostics: [Diagnostic] = []
  private var reported: Set<Report> = []

  var results: [WalkKey: WalkResult] = [:]
  /// In the order in which they were first walked.
  private(set) var keys: [WalkKey] = []
  /// Programs with blocks or parents that inheritance has not been told of.
  var changed: [WalkKey] = []
  let inheritance: Inheritance
  /// The parent tags of each program, by their numbers.
  var parentTags: [WalkKey: [ParentTag]] = [:]
  /// The blocks of each program that inheritance knows.
  var toldBlocks: [WalkKey: Int] = [:]
  /// How often each override has been walked.
  var overrideCounts: [OverrideID: Int] = [:]
  var idleOverrides: Set<OverrideID> = []
  private var queue: [Check] = []
  private var queued: Set<WalkKey> = []

  private var assumedEnds: [WalkKey: HTMLContext] = [:]
  private var open: Set<WalkKey> = []
  private var wasAssumed: Set<WalkKey> = []
  /// The call for which a template is being read, for its errors.
  private var origin = ""

  /// Partials inside of tags and values, within one another.
  private static let depthLimit = 64
  /// Sections and blocks open at once in the templates that are being read: what bounds the stack.
  static let sectionLimit = 400
  var openSections = 0
  /// Contexts that one template is read in; a template written by hand has a few.
  static let contextLimit = 256
  private var contextCounts: [Int: Int] = [:]

  private struct Check {
    let key: WalkKey
    let origin: String
  }

  private struct Report: Hashable {
    let code: DiagnosticCode
    let file: String
    let line: Int
    let column: Int
  }

  init(
    _ templates: [ParsedTemplate], schemes: URLSchemes, budget: LoadBudget = LoadBudget(), passLimit: Int = 64
  ) {
    self.templates = templates
    self.schemes = schemes
    self.budget = budget
    inheritance = Inheritance(budget: budget)
    self.passLimit = passLimit
    templateOfKind = Dictionary(uniqueKeysWithValues: templates.enumerated().map { ($1.source.kind, $0) })
  }

  // MARK: What walks ask

  func template(ofKind kind: String) -> Int? { KindName.isValid(kind) ? templateOfKind[kind] : nil }

  func isHTML(_ template: Int) -> Bool { templates[template].source.mode == .html }

  /// Each fault of a place is told once, in however many contexts it is one.
  func report(_ diagnostic: Diagnostic) {
    let report = Report(
      code: diagnostic.code, file: diagnostic.file, line: diagnostic.line, column: diagnostic.column)
    guard reported.insert(report).inserted else { return }
    budget.keep(pieces: 1)
    diagnostics.append(
      Diagnostic(
        diagnostic.code, file: diagnostic.file, line: diagnostic.line, column: diagnostic.column,
        message: diagnostic.message + origin, hint: diagnostic.hint))
  }

  /// Has a template read that is called in element text.
  func check(
    _ template: Int, in state: HTMLContext, calledBy caller: TemplateSource? = nil, at offset: Int = 0
  ) {
    var context = HTMLContext()
    context.element = state.element
    context.tokenizer.isForeign = state.element.namespace != .html
    let key = WalkKey(template: template, context: context)
    guard queued.insert(key).inserted else { return }
    var origin = ""
    if let caller {
      let place = caller.position(of: offset)
      origin = " (called at \(caller.file):\(place.line):\(place.column))"
      guard mayRead(template, caller, offset) else { return }
    }
    queue.append(Check(key: key, origin: origin))
  }

  private func mayRead(_ template: Int, _ caller: TemplateSource, _ offset: Int) -> Bool {
    contextCounts[template, default: 0] += 1
    if contextCounts[template, default: 0] <= Self.contextLimit { return true }
    report(
      Diagnostic(
        .nestedTooDeep, in: caller, at: offset,
        "the partial is called in more than \(Self.contextLimit) different places of markup",
        hint: "call it in element text, or with fewer attributes before it"))
    return false
  }

  /// Where a template ends that is called inside of markup; nil where that was reported already.
  func end(of key: WalkKey, calledBy caller: TemplateSource, at offset: Int) -> HTMLContext? {
    if let known = results[key] { return known.end }
    if open.contains(key) {
      wasAssumed.insert(key)
      return assumedEnds[key] ?? key.context
    }
    guard mayRead(key.template, caller, offset) else { return nil }
    if open.count == Self.depthLimit {
      report(
        Diagnostic(
          .nestedTooDeep, in: caller, at: offset,
          "partials inside of tags are nested deeper than \(Self.depthLimit)", hint: "call it in element text"
        ))
      return nil
    }
    let outerOrigin = origin
    let place = caller.position(of: offset)
    origin = " (called at \(caller.file):\(place.line):\(place.column))"
    defer { origin = outerOrigin }
    open.insert(key)
    defer { open.remove(key) }
    // A template that calls itself ends where it ends: read it until what was assumed is what is found.
    for _ in 0..<passLimit where !budget.isSpent {
      let known = keys.count
      wasAssumed.remove(key)
      let result = walk(key.template, in: key.context)
      let assumed = assumedEnds[key] ?? key.context
      if wasAssumed.contains(key), result.end != assumed, let both = assumed.joined(with: result.end),
        both != assumed
      {
        for stale in keys[known...] { results[stale] = nil }
        keys.removeSubrange(known...)
        assumedEnds[key] = both
        continue
      }
      add(result, key)
      return result.end
    }
    report(
      Diagnostic(
        .nestedTooDeep, in: caller, at: offset,
        "this partial calls itself, and each turn ends at another place of the markup than the one before it",
        hint: "let it end where it begins, or call it in element text"))
    return nil
  }

  // MARK: Reading

  /// Reads every template as a cell of its own, and then in the places it is called in.
  func walkAll() {
    for index in templates.indices where isHTML(index) { check(index, in: .text) }
    readQueue()
    expandOverrides()
  }

  func readQueue() {
    var next = 0
    while next < queue.count, !budget.isSpent {
      let check = queue[next]
      next += 1
      origin = check.origin
      var result = walk(check.key.template, in: check.key.context)
      finish(&result, check.key)
      add(result, WalkKey(template: check.key.template, context: check.key.context.compiled))
    }
    queue = []
    origin = ""
  }

  private func walk(_ number: Int, in context: HTMLContext) -> WalkResult {
    let template = templates[number]
    budget.file = template.source.file
    guard template.isWellFormed else { return WalkResult(nodes: [], end: context) }
    var start = context
    if context == .text, let namespace = template.source.cell?.namespace, namespace != .html {
      start.element.namespace = namespace
      start.element.open.insert(.assumed)
      start.tokenizer.isForeign = true
    }
    var walker = Walker(template, number: number, in: start, of: self, observer: template.observer)
    return walker.walk(all: template.nodes)
  }

  /// A cell ends in element text: what stands behind it must be read as if it were not there.
  private func finish(_ result: inout WalkResult, _ key: WalkKey) {
    let source = templates[key.template].source
    let end = source.content.upperBound
    let place: String
    if !result.end.isElementText {
      place =
        result.end.tokenizer.isInComment
        ? "a comment" : result.end.tag == nil ? "an element's text" : "a tag"
    } else if !result.end.reference.isEmpty {
      place = "a character reference"
    } else {
      return
    }
    result.end = key.context
    report(
      Diagnostic(
        .unfinishedCell, in: source, at: end, "the cell ends inside \(place)",
        hint: place == "a character reference"
          ? "write &amp; for the &, or end the reference with ;" : "close it"))
  }

  private func add(_ result: WalkResult, _ key: WalkKey) {
    guard let known = results[key]?.blocks.count else {
      results[key] = result
      keys.append(key)
      changed.append(key)
      return
    }
    results[key]?.blocks.add(result.blocks)
    if let count = results[key]?.blocks.count, count > known { changed.append(key) }
  }
}
