/// The nodes of an element as it is drawn, without the attributes of nibs.
struct DrawnElement {
  var startTag: [CellNode]
  /// nil for an element that has neither content nor an end tag.
  let content: [CellNode]?
  var endTag: [CellNode]

  var nodes: [CellNode] { startTag + (content ?? []) + endTag }
}

/// What the attributes of an element make of it, once its end is known.
struct PendingElement {
  struct Outlet {
    let rule: OutletRule
    let path: MustacheName
    /// The drawn value of a void element.
    let placeholder: [UInt8]?
    /// How a value that becomes the content is shown.
    var format: WrittenFormat?
  }

  /// Where `data-when` is, and its conditions.
  var when: (conditions: [Condition], at: Int)?
  var missing: MissingPolicy?
  var outlet: Outlet?
  /// The bound attribute without which the element goes.
  var presence: BindNode?
  /// Whether another cell replaces the element, and the outlet whose value is that cell's row.
  var isStandIn = false
  var includedPath: MustacheName?
  /// The count of its plural, without which it goes.
  var count: BindNode?
  /// The choice that it is a case of.
  var choice: PluralChoice?

  var isEmpty: Bool {
    when == nil && missing == nil && outlet == nil && presence == nil && count == nil && choice == nil
  }
  /// Whether the white space before the element belongs to it.
  var takesWhiteSpace: Bool { when != nil || outlet != nil || isStandIn }

  /// Whether the element may go.
  var mayGo: Bool { takesWhiteSpace || presence != nil || count != nil || choice != nil }
  /// Whether words are printed between its elements, and the white space before it stays where it is.
  var isList: Bool { outlet?.format?.kind == .list }

  /// The nodes in the order in which the attributes are judged.
  /// - Parameter lead: the white space before the element.
  func nodes(for tag: StartTag, _ drawn: DrawnElement, lead: [CellNode]) -> [CellNode] {
    var drawn = drawn
    let nodes: [CellNode]
    if isStandIn {
      nodes = included(tag, lead, drawn.endTag)
    } else if let outlet {
      if let format = outlet.format, format.kind == .list {
        // Words are printed between the elements in place of white space.
        drawn.startTag = [.listWords(format, isBehind: false)] + drawn.startTag
        drawn.endTag.append(.listWords(format, isBehind: true))
        nodes = [self.node(outlet, tag, drawn)]
      } else {
        drawn.startTag = lead + drawn.startTag
        nodes = [self.node(outlet, tag, drawn)]
      }
    } else {
      var own = lead + drawn.nodes
      if let presence { own = [.presence(presence, own)] }
      if let count { own = [.presence(count, own)] }
      nodes = missing.map { [.missing($0, own)] } ?? own
    }
    let conditional = when.map { [.conditions($0.conditions, content: nodes, at: $0.at)] } ?? nodes
    return choice.map { [.pluralCase($0, content: conditional, at: tag.at)] } ?? conditional
  }

  /// - Parameter cell: the cell that replaces the element.
  private func included(_ tag: StartTag, _ lead: [CellNode], _ cell: [CellNode]) -> [CellNode] {
    guard let includedPath else { return lead + (missing.map { [.missing($0, cell)] } ?? cell) }
    return [
      .outlet(
        OutletNode(
          path: includedPath, isTagged: false, element: tag.name.text, at: tag.at, form: .include,
          escaper: .discard,
          missing: missing, startTag: lead, content: nil, endTag: cell))
    ]
  }

  private func node(_ outlet: Outlet, _ tag: StartTag, _ drawn: DrawnElement) -> CellNode {
    let rule = outlet.rule
    return
      .outlet(
        OutletNode(
          path: outlet.path, isTagged: tag.attribute("data-outlet") == nil, element: tag.name.text,
          at: tag.at,
          form: rule.form, escaper: rule.escaper, startsWithNewline: rule.startsWithNewline,
          absence: rule.absence, format: outlet.format, missing: missing, placeholder: outlet.placeholder,
          presence: presence,
          startTag: drawn.startTag, content: drawn.content, endTag: drawn.endTag))
  }
}

extension MissingPolicy {
  /// - Throws: if it is not the name of a policy.
  init(written text: [UInt8]) throws(Refusal) {
    guard let policy = MissingPolicy(rawValue: String(decoding: text, as: UTF8.self)) else {
      throw Refusal(
        .invalidMissing, "\"\(NameRule.shown(text))\" is not a way to treat missing names",
        hint: "write data-missing=\"drop\", \"keep\", \"blank\" or \"error\"")
    }
    self = policy
  }
}

extension [CellNode] {
  /// Removes the white space at the end, with the starts of lines in it, and returns it.
  mutating func removeTrailingWhiteSpace() -> [CellNode] {
    var taken: [CellNode] = []
    // The start of a line belongs to the white space only if some precedes it.
    var starts: [CellNode] = []
    while let last {
      switch last {
      case .lineStart: starts.append(removeLast())
      case .literal(var bytes) where bytes.last.map(HTMLTokenizer.isSpace) == true:
        removeLast()
        let end = bytes.lastIndex { !HTMLTokenizer.isSpace($0) }.map { $0 + 1 } ?? 0
        taken += starts + [.literal(Array<UInt8>(bytes[end...]))]
        starts = []
        bytes.removeSubrange(end...)
        if !bytes.isEmpty {
          append(.literal(bytes))
          return taken.reversed()
        }
      default:
        self += starts.reversed()
        return taken.reversed()
      }
    }
    self += starts.reversed()
    return taken.reversed()
  }
}
