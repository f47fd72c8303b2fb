/// Walks all HTML templates of a compilation in each context that they are called in.
///
/// A template called in element text is walked later, from a queue, because it ends in the context it starts
/// in. One called inside a tag or a value is walked at once, because the caller continues in the context
/// where it ends.
final class WalkSet {
  let templates: [ParsedTemplate]
  let schemes: URLSchemes
  let elements: CustomElements
  let budget: LoadBudget
  /// How often a loop or a recursive partial is walked at most until its end matches the assumed end.
  ///
  /// Each pass joins what was found with what was known and never removes anything. Little can still change
  /// then: an attribute's name may be open or closed, the position in a URL or style may become uncertain, or
  /// attributes of the template itself are added. Two or three passes suffice; a template that needs more
  /// than this is refused.
  let passLimit: Int
  private let templateOfKind: [String: Int]
  /// All kinds, to find the one that was meant.
  private(set) lazy var nearKinds = NearNameIndex(templates.map(\.source.kind))
  private(set) var diagnostics: [Diagnostic] = []
  private var reported: Set<Report> = []

  var results: [WalkKey: WalkResult] = [:]
  /// In order of first walk.
  private(set) var keys: [WalkKey] = []
  /// Programs with blocks or parents not yet passed to `inheritance`.
  var changed: [WalkKey] = []
  let inheritance: Inheritance
  /// The parent tags of each program, by number.
  var parentTags: [WalkKey: [ParentTag]] = [:]
  /// How many blocks of each program were passed to `inheritance`.
  var toldBlocks: [WalkKey: Int] = [:]
  /// How often each override has been walked.
  var overrideCounts: [OverrideID: Int] = [:]
  var idleOverrides: Set<OverrideID> = []
  private var queue: [Check] = []
  private var queued: Set<WalkKey> = []

  private var assumedEnds: [WalkKey: HTMLContext] = [:]
  private var open: Set<WalkKey> = []
  private var wasAssumed: Set<WalkKey> = []
  /// The call for which a template is being walked, for error messages.
  private var origin = ""

  /// The most nested partials inside tags and values.
  private static let depthLimit = 64
  /// The most sections and blocks open at once in the templates being walked; bounds the stack.
  static let sectionLimit = 400
  var openSections = 0
  /// The most contexts in which one template is walked; a hand-written template has a few.
  static let contextLimit = 256
  private var contextCounts: [Int: Int] = [:]

  private struct Check {
    let key: WalkKey
    let origin: String
  }

  private struct Report: Hashable {
    let code: DiagnosticCode
    let file: ExactString
    let line: Int
    let column: Int
  }

  init(
    _ templates: [ParsedTemplate], schemes: URLSchemes, elements: CustomElements = .none,
    budget: LoadBudget = LoadBudget(), passLimit: Int = 64
  ) {
    self.templates = templates
    self.schemes = schemes
    self.elements = elements
    self.budget = budget
    inheritance = Inheritance(budget: budget)
    self.passLimit = passLimit
    templateOfKind = Dictionary(uniqueKeysWithValues: templates.enumerated().map { ($1.source.kind, $0) })
  }

  // MARK: What walks ask

  func template(ofKind kind: String) -> Int? { KindName.isValid(kind) ? templateOfKind[kind] : nil }

  func isHTML(_ template: Int) -> Bool { templates[template].source.mode == .html }

  /// Reports each error of a place once, in however many contexts it occurs.
  func report(_ diagnostic: Diagnostic) {
    let report = Report(
      code: diagnostic.code, file: ExactString(diagnostic.file), line: diagnostic.line,
      column: diagnostic.column)
    guard budget.spend(), reported.insert(report).inserted else { return }
    let reported = Diagnostic(
      diagnostic.code, file: diagnostic.file, line: diagnostic.line, column: diagnostic.column,
      message: diagnostic.message + origin, hint: diagnostic.hint)
    if budget.keep(reported) { diagnostics.append(reported) }
  }

  /// Queues a template that is called in element text.
  func check(
    _ template: Int, in state: HTMLContext, calledBy caller: TemplateSource? = nil, at offset: Int = 0
  ) {
    var context = HTMLContext()
    context.element = state.element
    context.tokenizer.isForeign = state.element.namespace != .html
    let key = WalkKey(template: template, context: KeptContext(context))
    guard queued.insert(key).inserted else { return }
    var origin = ""
    if let caller {
      let place = caller.position(of: offset)
      origin = " (called at \(caller.file):\(place.line):\(place.column))"
      guard mayRead(template, caller, offset) else { return }
    }
    budget.keep(pieces: key.context.pieces)
    queue.append(Check(key: key, origin: origin))
  }

  private func mayRead(_ template: Int, _ caller: TemplateSource, _ offset: Int) -> Bool {
    contextCounts[template, default: 0] += 1
    if contextCounts[template, default: 0] <= Self.contextLimit { return true }
    report(
      Diagnostic(
        .nestedTooDeep, in: caller, at: offset,
        "the partial is called in more than \(Self.contextLimit) different places in the markup",
        hint: "call it in element text, or with fewer attributes before it"))
    return false
  }

  /// Where a template called inside markup ends; nil if that was already reported.
  func end(of key: WalkKey, calledBy caller: TemplateSource, at offset: Int) -> HTMLContext? {
    if let known = results[key] { return known.end.value }
    if open.contains(key) {
      wasAssumed.insert(key)
      return assumedEnds[key] ?? key.context.value
    }
    guard mayRead(key.template, caller, offset) else { return nil }
    if open.count == Self.depthLimit {
      report(
        Diagnostic(
          .nestedTooDeep, in: caller, at: offset,
          "partials inside tags are nested deeper than \(Self.depthLimit)", hint: "call it in element text"
        ))
      return nil
    }
    let outerOrigin = origin
    let place = caller.position(of: offset)
    origin = " (called at \(caller.file):\(place.line):\(place.column))"
    defer { origin = outerOrigin }
    open.insert(key)
    defer { open.remove(key) }
    // For a recursive template, walk until the assumed end matches the found one.
    for _ in 0..<passLimit where !budget.isSpent {
      let known = keys.count
      wasAssumed.remove(key)
      let result = walk(key.template, in: key.context.value)
      let end = result.end.value
      let assumed = assumedEnds[key] ?? key.context.value
      if wasAssumed.contains(key), end != assumed, let both = assumed.joined(with: end),
        both != assumed
      {
        for stale in keys[known...] { results[stale] = nil }
        keys.removeSubrange(known...)
        assumedEnds[key] = both
        continue
      }
      add(result, key)
      return end
    }
    report(
      Diagnostic(
        .nestedTooDeep, in: caller, at: offset,
        "this partial calls itself, and each call ends at a different place in the markup than the previous one",
        hint: "make it end where it starts, or call it in element text"))
    return nil
  }

  // MARK: Reading

  /// Walks every template as a cell of its own, then in the contexts where it is called.
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
      var result = walk(check.key.template, in: check.key.context.value)
      finish(&result, check.key)
      add(
        result, WalkKey(template: check.key.template, context: KeptContext(check.key.context.value.compiled)))
    }
    queue = []
    origin = ""
  }

  private func walk(_ number: Int, in context: HTMLContext) -> WalkResult {
    let template = templates[number]
    budget.file = template.source.file
    guard template.isWellFormed else { return WalkResult(nodes: [], end: KeptContext(context)) }
    var start = context
    if context == .text, let namespace = template.source.cell?.namespace, namespace != .html {
      start.element.namespace = namespace
      start.element.open.insert(.assumed)
      start.tokenizer.isForeign = true
    }
    var walker = Walker(template, number: number, in: start, of: self, observer: template.observer)
    return walker.walk(all: template.nodes)
  }

  /// Checks that a cell ends in element text: what follows must be parsed as if the cell were not there.
  private func finish(_ result: inout WalkResult, _ key: WalkKey) {
    let source = templates[key.template].source
    let end = source.content.upperBound
    let context = result.end.value
    let place: String
    if !context.isElementText {
      place =
        context.tokenizer.isInComment
        ? "a comment" : context.tag == nil ? "an element's text" : "a tag"
    } else if !context.reference.isEmpty {
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
      budget.keep(pieces: key.context.pieces)
      results[key] = result
      keys.append(key)
      changed.append(key)
      return
    }
    results[key]?.blocks.add(result.blocks)
    if let count = results[key]?.blocks.count, count > known { changed.append(key) }
  }
}
