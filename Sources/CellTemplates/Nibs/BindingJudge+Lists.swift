/// Attributes that are lists: of tokens, and the declarations of a style.
extension BindingJudge {
  /// The items of a list attribute.
  private struct List {
    let opening: [UInt8]
    let separator: UInt8
    var nodes: [CellNode] = []

    var item: CellNode { .listItem(opening: opening, separator: separator) }

    mutating func add(_ content: [CellNode]) { nodes += [item] + content }

    /// Adds an item of values alone, which is there if one of them prints something.
    mutating func add(values: [CellNode], _ presence: (CellNode) -> BindNode?) {
      for (position, value) in values.enumerated() {
        guard let node = presence(value) else { preconditionFailure("an item without text has values alone") }
        if position == 0, values.count > 1 { nodes.append(.listBreak) }
        let start = CellNode.listItem(opening: opening, separator: separator, goesOn: values.count > 1)
        nodes.append(.presence(node, [start, value]))
      }
    }
  }

  /// The tokens of an attribute: the drawn ones in their order, then those that entries add.
  func tokens(of name: ExactString, _ entries: [Binding]) throws(Refusal) -> [CellNode] {
    guard TokenLists.names.contains(name) else {
      throw Refusal(
        .invalidBinding, "\(name) is not a list of tokens, to which values can be added",
        hint: "set all of it: \(name):'text {name}'")
    }
    var list = List(
      opening: Array(" \(entries[0].attribute)=\"".utf8), separator: 0x20)
    var conditions: [ExactString: Condition] = [:]
    for case (.token(let token), .condition(let condition)) in entries.map({ ($0.target, $0.source) }) {
      conditions[token] = condition
    }
    var drawn: Set<ExactString> = []
    for word in HTMLWords((tag.attribute(name)?.text ?? [])[...])
    where budget.keep(pieces: LoadBudget.tokenPieces) {
      let token = ExactString(decoding: word)
      guard let condition = conditions[token] else {
        list.add([.literal(Self.escaped(Array(word)))])
        continue
      }
      if drawn.insert(token).inserted { add(token, condition, to: &list) }
    }
    for entry in entries {
      switch (entry.target, entry.source) {
      case (.token(let token), .condition(let condition)):
        if !drawn.contains(token) { add(token, condition, to: &list) }
      case (_, .path(let path)):
        var value = context(name)
        let escaper = try hole(path, in: &value)
        let bind = BindNode(
          attribute: entry.attribute, at: tag.at, path: path, form: .item, escaper: escaper,
          isBeside: isBeside,
          joins: true)
        list.nodes.append(.presence(bind, [list.item, .bind(bind)]))
      case (_, .text(let pieces)):
        var value = context(name)
        add(try composed(pieces, entry.attribute, in: &value, ends: true), to: &list)
      case (_, .condition): preconditionFailure("only tokens have conditions")
      }
    }
    return list.nodes + [.listEnd]
  }

  /// Adds the tokens of a text: its words, of which those without a letter of their own may be nothing. If the budget is spent,
  /// the rest is left out.
  private func add(_ text: [CellNode], to list: inout List) {
    var item: [CellNode] = []
    var isWord = false
    func end() {
      if isWord {
        list.add(item)
      } else if !item.isEmpty {
        list.add(values: item) { presence(of: $0) }
      }
      (item, isWord) = ([], false)
    }
    for node in text {
      guard case .literal(let literal) = node else {
        item.append(node)
        continue
      }
      // Word by word, because a text may have millions.
      var rest = literal[...]
      while let first = rest.first {
        if HTMLTokenizer.isSpace(first) {
          end()
          rest = rest.drop(while: HTMLTokenizer.isSpace)
          continue
        }
        guard budget.keep(pieces: LoadBudget.tokenPieces) else { return }
        let word = rest.prefix { !HTMLTokenizer.isSpace($0) }
        item.append(.literal(Array(word)))
        isWord = true
        rest = rest[word.endIndex...]
      }
    }
    end()
  }

  /// Whether a value of a text prints something.
  private func presence(of node: CellNode) -> BindNode? {
    guard case .bound(let path, let escaper, _, let isBeside, let attribute, let at) = node else {
      return nil
    }
    return BindNode(
      attribute: attribute, at: at, path: path, form: .piece, escaper: escaper, isBeside: isBeside)
  }

  private func add(_ token: ExactString, _ condition: Condition, to list: inout List) {
    let content: [CellNode] = [list.item, .literal(Self.escaped(Array(token.utf8)))]
    list.nodes.append(.conditions([condition], isBeside: isBeside, content: content, at: tag.at))
  }

  /// The declarations of a style: the drawn ones in their order, then those that are not drawn.
  func declarations(_ entries: [Binding]) throws(Refusal) -> [CellNode] {
    var list = List(opening: Array(" \(entries[0].attribute)=\"".utf8), separator: UInt8(ascii: ";"))
    var bound: [ExactString: Binding] = [:]
    for case (.property(let property), let entry) in entries.map({ ($0.target, $0) }) {
      bound[property] = entry
    }
    var value = context("style")
    var drawn: Set<ExactString> = []
    for declaration in CSSDeclarations.split(tag.attribute("style")?.text ?? [], budget: budget) {
      let text = Self.escaped(Array(declaration.text))
      if let property = declaration.property, let entry = bound[property] {
        if drawn.insert(property).inserted { try add(property, entry, drawn: text, in: &value, to: &list) }
      } else {
        try value.feed(text[...])
        try value.feed([UInt8(ascii: ";")])
        list.add([.literal(text)])
      }
    }
    for entry in entries {
      guard case .property(let property) = entry.target, !drawn.contains(property) else { continue }
      try add(property, entry, drawn: nil, in: &value, to: &list)
    }
    return list.nodes + [.listEnd]
  }

  /// - Parameter drawn: the declaration as drawn.
  private func add(
    _ property: ExactString, _ entry: Binding, drawn: [UInt8]?, in value: inout ValueContext,
    to list: inout List
  ) throws(Refusal) {
    let name = Array("\(property):".utf8)
    try value.feed(name[...])
    switch entry.source {
    case .path(let path):
      let bind = BindNode(
        attribute: entry.attribute, opening: "\(property):", at: tag.at, path: path, form: .item,
        escaper: try hole(path, in: &value), isBeside: isBeside, isDrawn: drawn != nil,
        designed: drawn.map { [.literal($0)] } ?? [])
      list.nodes.append(.presence(bind, [list.item, .bind(bind)]))
    case .text(let pieces):
      list.add([.literal(name)] + (try composed(pieces, entry.attribute, in: &value, ends: false)))
    case .condition: preconditionFailure("a property has no condition")
    }
    try value.feed([UInt8(ascii: ";")])
    if let amendment = value.amendment { throw amendment.refusal }
  }
}
