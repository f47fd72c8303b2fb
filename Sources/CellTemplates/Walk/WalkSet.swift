/// Walks all HTML templates of a compilation, in each context they are called in.
///
/// A template called in element text is read later, from a queue: it ends where it begins. One that is called inside
/// a tag or a value is read at once, for the caller goes on where it ends.
final class WalkSet {
  let templates: [ParsedTemplate]
  let schemes: URLSchemes
  private let templateOfKind: [String: Int]
  private(set) var diagnostics: [Diagnostic] = []
  private var reported: Set<Report> = []

  private(set) var results: [WalkKey: WalkResult] = [:]
  /// In the order in which they were first walked.
  private(set) var keys: [WalkKey] = []
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
  private static let contextLimit = 256
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

  init(_ templates: [ParsedTemplate], schemes: URLSchemes) {
    self.templates = templates
    self.schemes = schemes
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
    for _ in 0..<Self.depthLimit {
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
    return nil
  }

  // MARK: Reading

  /// Reads every template as a cell of its own, and then in the places it is called in.
  func walkAll() {
    for index in templates.indices where isHTML(index) { check(index, in: .text) }
    readQueue()
    while expandOverrides() { readQueue() }
  }

  private func readQueue() {
    var next = 0
    while next < queue.count {
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
    guard template.isWellFormed else { return WalkResult(nodes: [], end: context) }
    var start = context
    if context == .text, let namespace = template.source.cell?.namespace, namespace != .html {
      start.element.namespace = namespace
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
    guard let known = results[key] else {
      results[key] = result
      keys.append(key)
      return
    }
    var merged = known
    for block in result.blocks where !merged.blocks.contains(block) { merged.blocks.append(block) }
    results[key] = merged
  }

  // MARK: Overrides

  /// A parent tag of one program: where its overrides may stand, and what became of them.
  private final class Parent {
    let key: WalkKey
    let callee: ParentPlace.Callee
    let blocks: [MustacheBlock]
    let nesting: Int
    /// The numbers of the overrides of each name.
    private(set) var numbers: [[UInt8]: [Int]] = [:]
    /// Places of names that are overridden here, each once; those before `next` are done.
    private(set) var places: [BlockPlace] = []
    var next = 0
    private var seen: Set<BlockPlace> = []
    /// The parents in whose overrides it stands: theirs count for its blocks too, and win.
    var outer: [Parent] = []
    var bodies: [CellOverride] = []
    private var compiled: Set<Compiled> = []

    private struct Compiled: Hashable {
      let block: Int
      let context: HTMLContext
    }

    init(_ place: ParentPlace, of key: WalkKey) {
      self.key = key
      callee = place.callee
      blocks = place.blocks
      nesting = place.nesting
      for (number, block) in blocks.enumerated() {
        numbers[Array(block.name.utf8), default: []].append(number)
      }
    }

    func add(_ place: BlockPlace) {
      if !seen.insert(place).inserted { return }
      if numbers[Array(place.name.utf8)] != nil { places.append(place) }
      for parent in outer { parent.add(place) }
    }

    /// Whether a body for this context is still to be kept.
    func needs(_ block: Int, _ context: HTMLContext) -> Bool {
      compiled.insert(Compiled(block: block, context: context)).inserted
    }
  }

  private var parents: [WalkKey: [Parent]] = [:]

  /// Compiles overrides for the places they may stand in; true if one was new, which may call or hold others.
  private func expandOverrides() -> Bool {
    let reach = reachableBlocks()
    var anything: [BlockPlace] = []
    for key in keys where key.context == .text { anything += reach[key] ?? [] }
    var isNew = false
    for key in keys {
      var number = 0
      while number < parents[key, default: []].count || number < results[key]?.parents.count ?? 0 {
        let parent = parent(number, of: key)
        switch parent.callee {
        case .program(let callee): for place in reach[callee] ?? [] { parent.add(place) }
        case .anything: for place in anything { parent.add(place) }
        case .nothing: break
        }
        while parent.next < parent.places.count {
          parent.next += 1
          expand(parent.places[parent.next - 1], parent)
          isNew = true
        }
        number += 1
      }
    }
    return isNew
  }

  private func parent(_ number: Int, of key: WalkKey) -> Parent {
    let known = parents[key, default: []]
    for place in (results[key]?.parents ?? [])[known.count...] {
      parents[key, default: []].append(Parent(place, of: key))
    }
    return parents[key]![number]
  }

  /// The blocks that a parent tag of each template may override: its own, and those of its parents.
  private func reachableBlocks() -> [WalkKey: [BlockPlace]] {
    var reach = results.mapValues(\.blocks)
    var seen = reach.mapValues(Set.init)
    var hasGrown = true
    while hasGrown {
      hasGrown = false
      for key in keys {
        for parent in results[key]?.parents ?? [] {
          guard case .program(let callee) = parent.callee, callee != key else { continue }
          for place in reach[callee] ?? [] where seen[key, default: []].insert(place).inserted {
            reach[key, default: []].append(place)
            hasGrown = true
          }
        }
      }
    }
    return reach
  }

  /// Compiles a parent's overrides of one name for one place.
  private func expand(_ place: BlockPlace, _ parent: Parent) {
    let template = templates[parent.key.template]
    for number in parent.numbers[Array(place.name.utf8)] ?? [] {
      let block = parent.blocks[number]
      var walker = Walker(
        template, number: parent.key.template, in: place.entry, of: self, observer: template.observer)
      walker.outerNesting = parent.nesting
      walker.parents = results[parent.key]?.parents ?? []
      let before = walker.parents.count
      let body = walker.walk(all: block.content)
      results[parent.key]?.parents = body.parents
      for inner in body.blocks {
        parent.add(inner)
        results[parent.key]?.blocks.append(inner)
      }
      for inner in before..<body.parents.count {
        self.parent(inner, of: parent.key).outer.append(parent)
      }
      if place.end.joined(with: body.end) != place.end {
        report(
          Diagnostic(
            .crossingSection, in: template.source, at: block.at,
            "this content of \"\(block.name)\" ends at another place of the markup than the block it stands for",
            hint: "end it as the block's default content ends, with no attributes that it lacks"))
      }
      let context = place.entry.compiled
      if parent.needs(number, context) {
        parent.bodies.append(
          CellOverride(
            name: block.name, block: number, context: context, content: body.nodes,
            startsLine: block.contentStartsLine))
      }
    }
  }

  /// What a template prints in a context it was walked in.
  func tree(_ key: WalkKey) -> CellTree {
    let template = templates[key.template]
    if template.source.mode == .text { return PlainTree.tree(of: template.nodes, in: template.source) }
    guard let result = results[key] else { preconditionFailure("a program is asked for that nothing calls") }
    let overrides = result.parents.indices.map { parent($0, of: key).bodies.sorted { $0.block < $1.block } }
    return CellTree(nodes: result.nodes, overrides: overrides)
  }
}
