/// Judges the entries of an element's `data-bind` as if they were written as Mustache in its attributes, and makes the
/// attributes of them.
struct BindingJudge {
  let tag: StartTag
  let schemes: URLSchemes
  let elements: CustomElements
  let budget: LoadBudget
  /// Whether the element has an outlet, in whose value paths start.
  let isBeside: Bool

  /// The attributes in the order of their first entries.
  /// - Parameter own: the attributes that the value of the element's outlet sets.
  /// - Returns: none if the budget is spent.
  /// - Throws: if one may not contain values, or is set twice.
  func attributes(of bindings: [Binding], own: [ExactString]) throws(Refusal) -> [BoundAttribute] {
    var order: [ExactString] = []
    var entries: [ExactString: [Binding]] = [:]
    var seen: Set<Entry> = []
    for binding in bindings {
      guard budget.spend(Self.unitsPerEntry) else { return [] }
      let name = binding.name
      if entries[name] == nil { order.append(name) }
      guard seen.insert(Entry(name: name, target: binding.target)).inserted else { throw twice(binding) }
      if let other = entries[name]?.first, binding.target == .attribute || other.target == .attribute {
        throw twice(binding, in: name)
      }
      entries[name, default: []].append(binding)
    }
    try checkBeside(entries.merging(own.map { ($0, []) }) { entries, _ in entries })
    var attributes: [BoundAttribute] = []
    for name in order {
      guard budget.spend(Self.unitsPerEntry) else { return [] }
      try checkPlace(name)
      attributes.append(BoundAttribute(name: name, content: try content(of: name, entries[name] ?? [])))
    }
    return attributes
  }

  /// The work to judge an entry, in the budget's units.
  private static let unitsPerEntry = 200

  private struct Entry: Hashable {
    let name: ExactString
    let target: Binding.Target
  }

  /// - Parameter attribute: the attribute that other entries set, if only a part of it is set twice.
  private func twice(_ binding: Binding, in attribute: ExactString? = nil) -> Refusal {
    let part: String? =
      switch binding.target {
      case .token(let token): ".\(token)"
      case .property(let property): ".\(property)"
      case .addition: "+"
      case .attribute: nil
      }
    guard attribute == nil, let part else {
      return Refusal(
        .duplicateAttribute, "data-bind sets \(binding.name) twice",
        hint: binding.name == "style"
          ? "write an entry for each property: style.color:colour; style.width:'{w}%'"
          : "write one entry for each attribute, or class+ and class.TOKEN beside each other")
    }
    return Refusal(
      .duplicateAttribute, "data-bind sets \(binding.name)\(part) twice",
      hint: "remove one of the two entries")
  }

  // MARK: Places

  /// Refuses an outlet whose value sets attributes that others of the tag keep from taking values.
  func checkBeside(own names: [ExactString]) throws(Refusal) {
    try checkBeside(Dictionary(names.map { ($0, []) }) { first, _ in first })
  }

  /// Refuses values in attributes that others of the tag keep from taking them, both written or bound.
  private func checkBeside(_ entries: [ExactString: [Binding]]) throws(Refusal) {
    // The walk has judged those that are written.
    let boundDirectives = Set((entries["class"] ?? []).flatMap(\.classDirectives))
    let classDirectives = tag.classDirectives.union(boundDirectives)
    if let reader = DataAttributeLibrary(
      of: tag.name, with: tag.positions, classDirectives: classDirectives, elements)
    {
      let written = boundDirectives.isEmpty ? [] : tag.attributes.filter { $0.text == nil }.map(\.name)
      let refusals = (entries.keys.sorted() + written).lazy.compactMap { reader.refusal(of: $0) }
      if let refusal = refusals.first { throw refusal }
    }
    for name in AttributePolicy.judgedBeside {
      let bound = entries[name]
      guard bound != nil || tag.attribute(name).map({ $0.text == nil }) ?? false else { continue }
      // The walk has judged what is written beside written attributes. What a written URL starts with is not known here.
      let refusal = AttributePolicy.refusal(
        of: name, on: tag.name, beside: { entries[$0] != nil || (bound != nil && tag.has($0)) },
        directive: { directives in
          let names = bound == nil ? [] : Array(tag.positions.keys)
          return AngularDirective.first(
            directives, of: tag.name, names, bound == nil ? boundDirectives : classDirectives)
        },
        text: { entries[$0] == nil ? tag.attribute($0)?.text : nil },
        isOpen: try isOpen(name, bound), inside: tag.inside)
      if let refusal { throw refusal }
    }
  }

  /// Whether a value may decide what origin a URL is on, or is in `content` and not the owner's. If a URL is not bound, that
  /// is not known here.
  private func isOpen(_ name: ExactString, _ bound: [Binding]?) throws(Refusal) -> Bool {
    if name == "content" {
      return bound?.contains { binding in
        switch binding.source {
        case .path(let path): !path.isOwners
        case .text(let pieces):
          pieces.contains { if case .path(let path, _) = $0 { !path.isOwners } else { false } }
        case .condition: true
        }
      } ?? false
    }
    guard case .text(let pieces)? = bound?.first?.source, case .literal(let text)? = pieces.first
    else { return true }
    var value = context(name)
    try value.feed(text[...])
    return value.mayDecideOrigin
  }

  /// Refuses attributes that take no values, and those that are filled already.
  private func checkPlace(_ name: ExactString) throws(Refusal) {
    if tag.name == "meta", name == "content", tag.attribute("http-equiv") != nil {
      throw Refusal(
        .refusedAttribute, "content of a <meta> with http-equiv can redirect the page",
        hint: "write it as static text")
    }
    if name == "src", tag.attribute("data-embed") != nil {
      throw Refusal(.duplicateAttribute, "data-embed fills src already", hint: "remove one of the two")
    }
    // Those in sections and partials are reported where they are.
    guard let drawn = tag.attribute(name), drawn.isUnconditional else { return }
    if drawn.text == nil {
      throw Refusal(
        .duplicateAttribute, "Mustache fills \(name) of <\(tag.name)> already",
        hint: "write it as static text, outside of sections, or remove it from data-bind")
    }
  }

  func context(_ name: ExactString) -> ValueContext {
    ValueContext(name, AttributePolicy.kind(of: name, on: tag.name, elements), schemes: schemes)
  }

  // MARK: Content

  private func content(of name: ExactString, _ entries: [Binding]) throws(Refusal) -> BoundAttribute.Content {
    guard let first = entries.first else { preconditionFailure("an attribute has an entry") }
    switch first.target {
    case .property, .token, .addition:
      for entry in entries { try checkReadable(entry.format, entry.attribute) }
    case .attribute: break
    }
    switch first.target {
    case .property where !entries.contains(where: { $0.target == .addition }):
      return .list(try declarations(entries))
    case .property, .token, .addition: return .list(try tokens(of: name, entries))
    case .attribute: break
    }
    let opening = " \(first.attribute)=\""
    switch first.source {
    case .condition(let condition):
      // Judged although it prints no value: some attributes must be static.
      var value = context(name)
      _ = try hole(.init(segments: ["x"]), in: &value)
      return .choice(condition, attribute: first.attribute)
    case .text(let pieces):
      var value = context(name)
      return .composed(
        attribute: first.attribute, try composed(pieces, first.attribute, in: &value, ends: true))
    case .path(let path):
      if name == "style" {
        throw Refusal(
          .unsafeStyle, "a value cannot be a whole style",
          hint: "bind its properties: style.color:colour; style.width:'{w}%'")
      }
      var value = context(name)
      let escaper = try hole(path, in: &value)
      try value.finish()
      try checkReadable(first.format, first.attribute)
      return .bind(
        BindNode(
          attribute: first.attribute, opening: opening, at: tag.at, path: path, escaper: escaper,
          format: first.format, isBeside: isBeside,
          takesWords: takesWords(name), joins: TokenLists.names.contains(name)))
    }
  }

  /// Refuses a format where programs read.
  private func checkReadable(_ format: WrittenFormat?, _ attribute: String) throws(Refusal) {
    guard let format, !ReadableAttributes.contain(ExactString(inLowercase: attribute.utf8)) else { return }
    throw ReadableAttributes.refusal(format.text, "\(attribute) of <\(tag.name)>")
  }

  /// Whether true and false are printed as words.
  private func takesWords(_ name: ExactString) -> Bool {
    guard let drawn = tag.attribute(name) else { return name.text.hasPrefix("aria-") }
    return drawn.text.map { $0.elementsEqual("true".utf8) || $0.elementsEqual("false".utf8) } ?? false
  }

  func hole(_ path: MustacheName, in value: inout ValueContext) throws(Refusal) -> Escaper {
    try value.hole(on: tag.name, isOwners: path.isOwners)
  }

  /// Text and the values in it.
  /// - Parameter ends: whether the attribute's value ends after it.
  func composed(
    _ pieces: [Binding.Piece], _ attribute: String, in value: inout ValueContext, ends: Bool
  ) throws(Refusal) -> [CellNode] {
    var nodes: [CellNode] = []
    for (position, piece) in pieces.enumerated() where budget.keep(pieces: LoadBudget.bindPieces) {
      switch piece {
      case .literal(let text):
        var written = Self.escaped(text)
        let quotes = try value.feed(written[...], isFollowed: position < pieces.count - 1)
        if let amendment = value.amendment {
          value.settle()
          guard case .bound(let path, let escaper, let format, let isBeside, _, let at)? = nodes.last,
            let amended = amendment.escaper(insteadOf: escaper)
          else { throw amendment.refusal }
          nodes[nodes.count - 1] = .bound(
            path, amended, format: format, isBeside: isBeside, attribute: attribute, at: at)
        }
        for quote in quotes.reversed() { written.insert(Self.urlQuote, at: quote) }
        nodes.append(.literal(written))
      case .path(let path, let format):
        let escaper = try hole(path, in: &value)
        if value.takeQuote() { nodes.append(.literal([Self.urlQuote])) }
        try checkReadable(format, attribute)
        nodes.append(
          .bound(path, escaper, format: format, isBeside: isBeside, attribute: attribute, at: tag.at))
      }
    }
    if ends { try value.finish() }
    return nodes
  }

  /// The quote around a `url()` in an attribute, which has the other one.
  static let urlQuote = UInt8(ascii: "'")

  /// The text as it is written in a quoted attribute.
  static func escaped(_ text: [UInt8]) -> [UInt8] {
    text.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "&"): Array("&amp;".utf8)
      case UInt8(ascii: "<"): Array("&lt;".utf8)
      case UInt8(ascii: ">"): Array("&gt;".utf8)
      case UInt8(ascii: "\""): Array("&quot;".utf8)
      default: [byte]
      }
    }
  }
}
