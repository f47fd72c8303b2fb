/// Handles the nib attributes of elements during the walk of a cell. Outlets become nodes of the tree,
/// design-only elements are removed, and no nib attributes reach the output.
///
/// One for each cell. What it stores about an element is keyed by the element's offset in the source.
final class NibElements: ElementObserver {
  let source: TemplateSource
  let schemes: URLSchemes
  let files: NibFiles
  private let budget: LoadBudget
  /// What to do where an element ends, by the element's offset.
  private var pending: [Int: Pending] = [:]
  /// `data-action` by the element's offset.
  private(set) var actions: [Int: Action] = [:]
  /// The embedded images as data URIs, by the element's offset.
  private(set) var images: [Int: [UInt8]] = [:]

  /// The offsets of both, in walk order.
  private var noted: [Int] = []

  struct Action {
    let name: String
    let element: String
  }

  private enum Pending {
    case design
    case element(PendingElement)
  }

  init(_ source: TemplateSource, schemes: URLSchemes, files: NibFiles, budget: LoadBudget) {
    self.source = source
    self.budget = budget
    self.schemes = schemes
    self.files = files
  }

  /// The actions as parts of the kind's description.
  var parts: [CellPart] {
    actions.sorted { $0.key < $1.key }
      .map { CellPart(role: .action, name: $0.value.name, element: $0.value.element, at: $0.key) }
  }

  // MARK: Start tags

  func startTag(_ tag: StartTag, in nodes: inout [CellNode], report: (Refusal, Int) -> Void) {
    pending[tag.at] = nil
    for attribute in tag.attributes
    where AttributePolicy.isOfNibs(attribute.name) || attribute.name == "data-action" {
      check(attribute, on: tag, report)
    }
    noteAction(tag, report)
    let image = embed(tag, report)
    if let design = tag.attribute("data-design") {
      if isRoot(tag) {
        report(
          Refusal(
            .misplacedAttribute, "the cell itself cannot be design-only", hint: "remove data-design"),
          design.at)
      }
      pending[tag.at] = .design
      return
    }
    var element = PendingElement(missing: missing(of: tag, report))
    let path = path(of: tag, report)
    var rule: OutletRule?
    if let path {
      do throws(Refusal) {
        rule = try OutletRule(tag)
        try rule?.bind(tag, schemes: schemes, budget)
      } catch {
        report(
          error,
          (tag.attribute("data-bind") ?? tag.attribute("data-outlet") ?? tag.attribute("data-tag"))?.at
            ?? tag.at)
        rule = nil
      }
      if let rule { checkOnce(rule, tag, report) }
      if let rule {
        element.outlet = PendingElement.Outlet(rule: rule, path: path, placeholder: placeholder(tag, rule))
      }
    } else if let bind = tag.attribute("data-bind"), tag.attribute("data-outlet") == nil,
      tag.attribute("data-tag") == nil
    {
      report(
        Refusal(
          .misplacedAttribute, "data-bind needs an outlet, whose value sets the attributes",
          hint: "add data-outlet=\"…\", or write the values as Mustache: href=\"{{url}}\""), bind.at)
    }
    if !element.isEmpty { pending[tag.at] = .element(element) }
    let isPlain = image == nil && !tag.attributes.contains { AttributePolicy.isOfNibs($0.name) }
    if isPlain { return }
    if !rewrite(tag, binds: rule?.binds ?? [], image: image, in: &nodes) {
      report(
        Refusal(
          .crossingSection, "an attribute of <\(tag.name)> starts and ends on different sides of a section",
          hint: "put the whole attribute in the section"), tag.at)
    }
  }

  /// Reports attributes set by the outlet that also occur in a section or partial, where they would be
  /// duplicates.
  private func checkOnce(_ rule: OutletRule, _ tag: StartTag, _ report: (Refusal, Int) -> Void) {
    var places = tag.places
    for attribute in tag.attributes where attribute.isUnconditional { places[attribute.name] = nil }
    for bind in rule.binds {
      guard let place = places[bind.name] else { continue }
      report(
        Refusal(
          .duplicateAttribute, "<\(tag.name)> already has the attribute \(bind.name) from its outlet",
          hint: "write it outside sections and partials as designed, or do not set it by the outlet"),
        place)
    }
  }

  /// Whether the element is the cell itself.
  private func isRoot(_ tag: StartTag) -> Bool { tag.at == source.content.lowerBound }

  private func check(_ attribute: StartTag.Attribute, on tag: StartTag, _ report: (Refusal, Int) -> Void) {
    if !attribute.isUnconditional || attribute.text == nil {
      let refusal = Refusal(
        .misplacedAttribute, "\(attribute.name) must be static and outside sections",
        hint: "write its value as static text, or put the whole element in the section")
      report(refusal, attribute.at)
    }
    if attribute.name == "data-class" || attribute.name == "data-raw",
      !(isRoot(tag) && tag.attribute("data-cell") != nil)
    {
      let refusal = Refusal(
        .misplacedAttribute, "\(attribute.name) belongs on a cell, next to data-cell",
        hint: "move it to the cell's element")
      report(refusal, attribute.at)
    }
  }

  /// The element's `data-missing`.
  private func missing(of tag: StartTag, _ report: (Refusal, Int) -> Void) -> MissingPolicy? {
    guard let attribute = tag.attribute("data-missing"), let text = attribute.text else { return nil }
    do throws(Refusal) { return try MissingPolicy(written: text) } catch {
      report(error, attribute.at)
      return nil
    }
  }

  private func noteAction(_ tag: StartTag, _ report: (Refusal, Int) -> Void) {
    actions[tag.at] = nil
    guard let attribute = tag.attribute("data-action"), let text = attribute.text else { return }
    if text.allSatisfy(HTMLTokenizer.isSpace) {
      report(
        Refusal(.misplacedAttribute, "the action has no name", hint: "name it: data-action=\"share\""),
        attribute.at)
    }
    if let fault = NameRule.fault(in: text) {
      report(
        Refusal(
          .invalidName, "the action's name \(fault)",
          hint: "give it a short name of visible characters: data-action=\"share\""),
        attribute.at)
    }
    noted.append(tag.at)
    actions[tag.at] = Action(name: String(decoding: text, as: UTF8.self), element: tag.name.text)
  }

  /// The path of an element's outlet; nil if there is none or it is invalid.
  private func path(of tag: StartTag, _ report: (Refusal, Int) -> Void) -> MustacheName? {
    var path: MustacheName?
    if let attribute = tag.attribute("data-tag"), let text = attribute.text {
      let number = String(decoding: text, as: UTF8.self)
      if let value = UInt32(number), value >= 1, String(value) == number {
        path = MustacheName(segments: [number])
      } else {
        report(
          Refusal(
            .invalidOutlet, "\"\(number)\" is not a tag", hint: "tags are numbers from 1: data-tag=\"7\""),
          attribute.at)
      }
    }
    guard let attribute = tag.attribute("data-outlet"), let text = attribute.text else { return path }
    if let fault = NameRule.fault(in: text) {
      report(
        Refusal(
          .invalidOutlet, "the outlet's name \(fault)",
          hint: "give it a short name of visible characters: data-outlet=\"title\""),
        attribute.at)
      return nil
    }
    let name = String(decoding: text, as: UTF8.self)
    if name == "." { return MustacheName(segments: ["."]) }
    let segments = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if segments.contains("") || text.contains(where: MustacheScanner.isSpace) {
      report(
        Refusal(
          .invalidOutlet, "\"\(name)\" is not a valid name",
          hint:
            "write names with single dots between them, or . for the current item: data-outlet=\"author.name\""
        ),
        attribute.at)
      return nil
    }
    if PathEntry.Root.isLoopName(segments[0].utf8) {
      report(
        Refusal(
          .invalidOutlet, "\"\(name)\" is available only in Mustache",
          hint: "write it in the element: {{\(name)}}"),
        attribute.at)
      return nil
    }
    return MustacheName(segments: segments)
  }

  /// The designed value of a void element.
  private func placeholder(_ tag: StartTag, _ rule: OutletRule) -> [UInt8]? {
    guard let attribute = rule.scalarAttribute else { return nil }
    return tag.attribute(attribute)?.text
  }

  // MARK: Images

  /// The data URI of an image that the element embeds.
  private func embed(_ tag: StartTag, _ report: (Refusal, Int) -> Void) -> [UInt8]? {
    images[tag.at] = nil
    guard let attribute = tag.attribute("data-embed") else { return nil }
    guard tag.name == "img", let src = tag.attribute("src"), src.isUnconditional, let text = src.text else {
      report(
        Refusal(
          .invalidImage, "data-embed requires an <img> whose src is a local file",
          hint: "write <img data-embed src=\"star.svg\">"), attribute.at)
      return nil
    }
    let reference = String(decoding: text, as: UTF8.self)
    do throws(NibFiles.Fault) {
      guard let cell = source.cell, let path = try NibFiles.path(of: reference, in: cell.nib) else {
        report(
          Refusal(
            .invalidImage, "\"\(reference)\" is not a local file",
            hint: "write the path of a file next to the nib: src=\"images/star.svg\""), src.at)
        return nil
      }
      let bytes = try files.read(path)
      if bytes.count > NibFiles.limitBytes { throw .tooLarge }
      guard let uri = EmbeddedImage.dataURI(of: bytes) else {
        report(
          Refusal(
            .invalidImage, "\"\(reference)\" is not an image", hint: "embed SVG, PNG, JPEG, GIF, WebP or AVIF"
          ),
          src.at)
        return nil
      }
      guard budget.keep(imageBytes: uri.count) else { return nil }
      images[tag.at] = uri
      noted.append(tag.at)
      return uri
    } catch {
      report(Self.refusal(error, reference), src.at)
      return nil
    }
  }

  private static func refusal(_ fault: NibFiles.Fault, _ reference: String) -> Refusal {
    switch fault {
    case .missing:
      Refusal(
        .invalidImage, "the image \"\(reference)\" does not exist",
        hint: "put the file next to the nib, or fix its name")
    case .outside:
      Refusal(
        .outsideFolder, "the image \"\(reference)\" is outside the templates folder",
        hint: "put the file itself into the folder")
    case .tooLarge:
      Refusal(
        .invalidImage, "the image \"\(reference)\" is larger than \(NibFiles.limitBytes >> 10) KiB",
        hint: "make it smaller, or serve it as a file and remove data-embed")
    case .unreadable(let reason):
      Refusal(.invalidImage, "the image \"\(reference)\" cannot be read: \(reason)", hint: "fix the file")
    }
  }

  // MARK: Rewriting

  /// Rewrites the start tag without nib attributes, and with a `bind` for each attribute that may be set.
  /// Returns false, and changes nothing, if its attributes are not in order in the list.
  private func rewrite(
    _ tag: StartTag, binds: [BindRule], image: [UInt8]?, in nodes: inout [CellNode]
  ) -> Bool {
    var writer = StartTagWriter(at: tag.at)
    var left: [BindRule?] = binds
    let places = Dictionary(uniqueKeysWithValues: binds.enumerated().map { ($1.name, $0) })
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
      if attribute.name == "src", let image {
        own = [.literal(Array("src=\"".utf8) + image + [UInt8(ascii: "\"")])]
      }
      if let place = places[attribute.name], let bind = left[place] {
        writer.bind(bind, designed: own)
        left[place] = nil
      } else {
        writer.attribute(own)
      }
    }
    writer.end(nodes[next..<tag.nodes.upperBound], binds: left.compactMap(\.self))
    nodes.replaceSubrange(tag.nodes, with: writer.nodes)
    return true
  }

  // MARK: End tags

  func endTag(of tag: StartTag, contentStart: Int, endTagStart: Int, in nodes: inout [CellNode]) {
    guard let rest = pending.removeValue(forKey: tag.at) else { return }
    let start = tag.nodes.lowerBound
    // False only if the markup is invalid, which was reported.
    guard start <= contentStart, contentStart <= endTagStart, endTagStart <= nodes.count else { return }
    var drawn = DrawnElement(
      startTag: Array(nodes[start..<contentStart]),
      content: tag.isEmpty ? nil : Array(nodes[contentStart..<endTagStart]),
      endTag: Array(nodes[endTagStart...]))
    nodes.removeSubrange(start...)
    switch rest {
    case .design:
      if !tag.keepsWhiteSpace { _ = nodes.removeTrailingWhiteSpace() }
      keepLineEnd(of: tag, in: &nodes)
      // Removes what was recorded about the elements inside it, which come after it in the source.
      while let place = noted.last, place >= tag.at {
        noted.removeLast()
        actions[place] = nil
        images[place] = nil
      }
    case .element(let element):
      if element.outlet != nil, !tag.keepsWhiteSpace {
        drawn.startTag = nodes.removeTrailingWhiteSpace() + drawn.startTag
      }
      keepLineEnd(of: tag, in: &nodes)
      nodes += element.nodes(for: tag, drawn)
    }
  }

  /// If the element may be omitted, parsers could drop a newline at the start of what follows; this adds one
  /// for them.
  private func keepLineEnd(of tag: StartTag, in nodes: inout [CellNode]) {
    if tag.dropsLineEnd { nodes.append(.literal([UInt8(ascii: "\n")])) }
  }
}
