/// Handles the nib attributes of elements during the walk of a cell. Outlets become nodes of the tree,
/// design-only elements are removed, and no nib attributes reach the output.
///
/// One for each cell. What it stores about an element is keyed by the element's offset in the source.
final class NibElements: ElementObserver {
  let source: TemplateSource
  let settings: TemplateSettings
  /// Where links to files lead; nil if they stay as written.
  let links: AssetLinks?
  /// What to do where an element ends, by the element's offset.
  private var pending: [Int: Pending] = [:]
  /// `data-action` by the element's offset.
  var actions: [Int: Action] = [:]
  var actionNames: Set<ExactString> = []
  /// The embedded images as data URIs, by the element's offset.
  var images: [Int: [UInt8]] = [:]

  /// The choices of elements with `data-plural`, by the element's offset.
  var choices: [Int: PluralChoice] = [:]
  /// The offsets of the open elements, outermost first.
  private var open: [Int] = []
  /// The offset of the open element of which nothing is printed, the outermost if there are several: our attributes
  /// inside it do nothing.
  private var inert: Int?

  /// The offsets of both, in walk order.
  var noted: [Int] = []

  struct Action {
    let name: String
    let element: String
  }

  private enum Pending {
    case design
    case element(PendingElement)
  }

  init(_ source: TemplateSource, links: AssetLinks?, _ settings: TemplateSettings) {
    self.source = source
    self.links = links
    self.settings = settings
  }

  var budget: LoadBudget { settings.budget }

  /// The actions as parts of the kind's description.
  var parts: [CellPart] {
    actions.sorted { $0.key < $1.key }
      .map { CellPart(role: .action, name: $0.value.name, element: $0.value.element, at: $0.key) }
  }

  // MARK: Start tags

  func startTag(_ tag: StartTag, in nodes: inout [CellNode], report: (Refusal, Int) -> Void) {
    pending[tag.at] = nil
    choices[tag.at] = nil
    // What a pass before has left open is walked again.
    while let last = open.last, last >= tag.at { open.removeLast() }
    if let position = inert, position >= tag.at { inert = nil }
    let parent = open.last
    if !tag.isEmpty { open.append(tag.at) }
    if inert != nil { return }
    if let design = tag.attribute("data-design") {
      if isRoot(tag) {
        report(
          Refusal(
            .misplacedAttribute, "the cell itself cannot be design-only", hint: "remove data-design"),
          design.at)
      }
      if !tag.isEmpty { inert = tag.at }
      pending[tag.at] = .design
      return
    }
    for attribute in tag.attributes
    where AttributePolicy.isOfNibs(attribute.name) || attribute.name == "data-action" {
      check(attribute, on: tag, report)
    }
    warnOfNearAttributes(tag, report)
    noteAction(tag, report)
    var element = PendingElement(when: conditions(of: tag, report), missing: missing(of: tag, report))
    element.choice = choice(of: tag, in: parent, report)
    let path = path(of: tag, report)
    if tag.has("data-include") {
      checkStandIn(tag, report)
      element.isStandIn = true
      element.includedPath = path
      if !tag.isEmpty { inert = tag.at }
      pending[tag.at] = .element(element)
      return
    }
    var replaced = movedLinks(tag)
    if let image = embed(tag, report) {
      replaced["src"] = Array("src=\"".utf8) + image + [UInt8(ascii: "\"")]
    }
    element.count = plural(of: tag, report)
    var rule: OutletRule?
    if let path {
      do throws(Refusal) {
        rule = try OutletRule(tag)
      } catch {
        report(error, (tag.attribute("data-outlet") ?? tag.attribute("data-tag"))?.at ?? tag.at)
      }
      if let rule {
        element.outlet = PendingElement.Outlet(rule: rule, path: path, placeholder: placeholder(tag, rule))
      }
    }
    let format = format(of: tag, rule, report)
    element.outlet?.format = format
    var bound = boundAttributes(of: tag, rule, report)
    if let format, let machine = MachineAttribute.node(for: format, on: tag, bound) { bound.append(machine) }
    checkOnce(bound, tag, report)
    element.presence = presence(of: tag, bound)
    if !element.isEmpty { pending[tag.at] = .element(element) }
    let isPlain = replaced.isEmpty && !tag.attributes.contains { AttributePolicy.isOfNibs($0.name) }
    if isPlain { return }
    if !rewrite(tag, bound, isBeside: rule != nil, replaced, in: &nodes) {
      report(
        Refusal(
          .crossingSection, "an attribute of <\(tag.name)> starts and ends on different sides of a section",
          hint: "put the whole attribute in the section"), tag.at)
    }
  }

  // MARK: Rewriting

  /// Rewrites the start tag without nib attributes, with the new texts of others, and with what writes each attribute that values set.
  /// Returns false, and changes nothing, if its attributes are not in order in the list.
  private func rewrite(
    _ tag: StartTag, _ bound: [BoundAttribute], isBeside: Bool, _ replaced: [ExactString: [UInt8]],
    in nodes: inout [CellNode]
  ) -> Bool {
    var writer = StartTagWriter(at: tag.at, isBeside: isBeside)
    var left: [BoundAttribute?] = bound
    let positions = Dictionary(uniqueKeysWithValues: bound.enumerated().map { ($1.name, $0) })
    var next = tag.nodes.lowerBound
    for attribute in tag.attributes where attribute.isUnconditional {
      guard attribute.nodes.lowerBound >= next, attribute.nodes.upperBound <= tag.nodes.upperBound else {
        return false
      }
      writer.gap(nodes[next..<attribute.nodes.lowerBound])
      next = attribute.nodes.upperBound
      if AttributePolicy.isOfNibs(attribute.name) {
        writer.drop()
        continue
      }
      var own = Array(nodes[attribute.nodes])
      if let text = replaced[attribute.name] { own = [.literal(text)] }
      if let position = positions[attribute.name], let bind = left[position] {
        writer.bind(bind, designed: own)
        left[position] = nil
      } else {
        writer.attribute(own)
      }
    }
    writer.end(nodes[next..<tag.nodes.upperBound], bound: left.compactMap(\.self))
    nodes.replaceSubrange(tag.nodes, with: writer.nodes)
    return true
  }

  // MARK: End tags

  func endTag(
    of tag: StartTag, contentStart: Int, endTagStart: Int, in nodes: inout [CellNode],
    report: (Refusal, Int) -> Void
  ) {
    while let last = open.last, last >= tag.at { open.removeLast() }
    if let position = inert, position >= tag.at { inert = nil }
    if let (refusal, at) = checkPlural(of: tag) { report(refusal, at) }
    guard let rest = pending.removeValue(forKey: tag.at) else { return }
    let start = tag.nodes.lowerBound
    // False only if the markup is invalid, which was reported.
    guard start <= contentStart, contentStart <= endTagStart, endTagStart <= nodes.count else { return }
    let drawn = DrawnElement(
      startTag: Array(nodes[start..<contentStart]),
      content: tag.isEmpty ? nil : Array(nodes[contentStart..<endTagStart]),
      endTag: Array(nodes[endTagStart...]))
    nodes.removeSubrange(start...)
    switch rest {
    case .design:
      if !tag.keepsWhiteSpace { _ = nodes.removeTrailingWhiteSpace() }
      keepLineEnd(of: tag, in: &nodes)
      forgetInside(tag)
    case .element(let element):
      if element.isStandIn { forgetInside(tag) }
      let takesWhiteSpace = element.takesWhiteSpace && !element.isList && !tag.keepsWhiteSpace
      let lead = takesWhiteSpace ? nodes.removeTrailingWhiteSpace() : []
      if element.mayGo { keepLineEnd(of: tag, in: &nodes) }
      nodes += element.nodes(for: tag, drawn, lead: lead)
    }
  }

  /// Removes what was recorded about an element that is not printed, and the elements inside it, which come after it in
  /// the source.
  private func forgetInside(_ tag: StartTag) {
    while let position = noted.last, position >= tag.at {
      noted.removeLast()
      actions[position] = nil
      images[position] = nil
    }
  }

  /// If the element may be omitted, parsers could drop a newline at the start of what follows; this adds one
  /// for them.
  private func keepLineEnd(of tag: StartTag, in nodes: inout [CellNode]) {
    if tag.dropsLineEnd { nodes.append(.literal([UInt8(ascii: "\n")])) }
  }
}
