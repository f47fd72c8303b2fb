/// An attribute that values set: what is written in place of the drawn one.
struct BoundAttribute {
  let name: ExactString
  /// The element that sets it, if its own value does so, too.
  var own: OwnAttribute?
  /// What the entries of `data-bind` write; nil if there is none.
  var content: Content?

  enum Content {
    case bind(BindNode)
    case choice(Condition, attribute: String)
    /// Text with values in it.
    case composed(attribute: String, [CellNode])
    /// What programs read of a value that is shown formatted.
    case machine(WrittenFormat)
    /// A list of tokens or of declarations.
    case list([CellNode])
  }

  /// - Parameters:
  ///   - drawn: the attribute as drawn, with the white space before it; empty if it is not drawn.
  ///   - isBeside: whether the element has an outlet.
  func nodes(drawn: [CellNode], isBeside: Bool, at: Int) -> [CellNode] {
    var nodes = content.map { self.nodes($0, drawn, isBeside, at) } ?? drawn
    if let own { nodes = [.bind(own.node(otherwise: nodes, at: at))] }
    return nodes
  }

  private func nodes(_ content: Content, _ drawn: [CellNode], _ isBeside: Bool, _ at: Int) -> [CellNode] {
    let written: [CellNode]
    switch content {
    case .machine(let format): return [.machine(format)]
    case .bind(var bind):
      bind.isDrawn = !drawn.isEmpty
      bind.designed = drawn
      return [.bind(bind)]
    case .choice(let condition, let attribute):
      written = [
        .conditions([condition], isBeside: isBeside, content: [.literal(Array(" \(attribute)".utf8))], at: at)
      ]
    case .composed(let attribute, let value):
      written = [.literal(Array(" \(attribute)=\"".utf8))] + value + [.literal([UInt8(ascii: "\"")])]
    case .list(let items): written = items
    }
    if !isBeside { return written }
    // An outlet without a value leaves its element as drawn.
    let kept: [CellNode] = drawn.isEmpty ? [] : [.blind(isInverted: false, drawn)]
    return kept + [.blind(isInverted: true, written)]
  }
}

/// An attribute that an element's outlet sets by itself: `src`, `value`, `checked`, `selected`.
struct OwnAttribute {
  let attribute: String
  let escaper: Escaper
  /// Whether `null`, true or false as the value sets it; otherwise a string or number does.
  let takesChoice: Bool

  var name: ExactString { ExactString(attribute) }

  func node(otherwise designed: [CellNode], at: Int) -> BindNode {
    BindNode(
      attribute: attribute, at: at, form: takesChoice ? .choice : .text, escaper: escaper,
      takesScalar: !takesChoice, takesChoice: takesChoice, isBeside: true, designed: designed)
  }
}
