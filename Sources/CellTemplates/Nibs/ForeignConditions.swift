/// What conditions and bindings of other front ends write, where it is read as names here: hardly what was meant.
enum ForeignConditions {
  /// The warning for `a and b` or `not a`; nil if no word is one of an expression.
  static func lesson(for conditions: [Condition]) -> Refusal? {
    for condition in conditions {
      guard case .word(let word)? = condition.literals.first, let sign = word.first, "<>".utf8.contains(sign)
      else { continue }
      let written = NameRule.shown(word)
      let meant = sign == UInt8(ascii: "<") ? "<=" : ">="
      return Refusal(
        .foreignText, "\"\(written)\" is read as the word that \(condition.path.text) equals",
        hint: "write \(condition.path.text)\(meant)5; put a word that begins so in quotes: '\(written)'")
    }
    let words = conditions.lazy.filter { $0.comparison == .truthy }.map(\.path.text)
    for word in words where conditions.count > 1 {
      guard let hint = hint(for: word) else { continue }
      return Refusal(.foreignText, "\"\(word)\" is read as a name", hint: hint)
    }
    return conditions.lazy.compactMap { lesson(for: $0.path) }.first
  }

  /// The warning for `this.name` or `items[0]`.
  static func lesson(for path: MustacheName) -> Refusal? {
    ForeignNames.lesson(for: path) { "\"\($0)\"" }.map { Refusal(.foreignText, $0.message, hint: $0.hint) }
  }

  /// The work for an entry of `data-bind`, in the budget's units.
  private static let unitsPerEntry = 100

  private static func hint(for word: String) -> String? {
    switch word {
    case "and", "&&", "&":
      "separate conditions by white space, and all must hold: data-when=\"author stock=in\""
    case "or": orHint
    case "is", "eq": "write an equals sign: stock=out"
    case "in": "write an equals sign, and the words with commas: stock=in,low"
    case "gt", "lt", "ge", "le", "gte", "lte": "write the sign: stock<5, stock>=5"
    case "not": "write an exclamation mark before the name: data-when=\"!author\""
    default: nil
    }
  }

  /// What to write instead of `open ? a : b`.
  static let choiceHint =
    "write a condition for each class: class.active:open; class.idle:!open; otherwise send the outcome in the data"

  /// What to write instead of `a or b`.
  static let orHint = "name several words: stock=in,low; otherwise write an element for each condition"

  /// `background-color` for `backgroundColor`, which is how scripts write it; nil for what CSS may know.
  static func property(writtenInScripts name: ArraySlice<UInt8>) -> String? {
    let isUpper = { (byte: UInt8) in byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") }
    guard !name.contains(UInt8(ascii: "-")), let first = name.first, !isUpper(first),
      name.contains(where: isUpper)
    else { return nil }
    let written = name.flatMap { isUpper($0) ? [UInt8(ascii: "-"), $0 | 0x20] : [$0] }
    return String(decoding: written, as: UTF8.self)
  }

  /// The warning for `class.hover:underline:open` or `class:open?a:b`; nil if no name looks like an expression.
  /// Not looked for once the budget is spent.
  static func lesson(for bindings: [Binding], _ budget: LoadBudget) -> Refusal? {
    for binding in bindings where budget.spend(unitsPerEntry) {
      for path in binding.paths {
        if let lesson = lesson(for: path) { return lesson }
      }
      guard let name = binding.decidingName else { continue }
      if case .token(let token) = binding.target, name.utf8.contains(UInt8(ascii: ":")) {
        return Refusal(
          .foreignText, "the class ends at the first colon, \"\(token)\", and \"\(name)\" is read as a name",
          hint: "write a class with a colon by a section, class=\"{{#open}}hover:underline{{/open}}\", "
            + "or send it: class+:classes")
      }
      if name.utf8.contains(UInt8(ascii: "?")) {
        return Refusal(
          .foreignText, "\"\(name)\" is read as a name",
          hint: choiceHint)
      }
    }
    return nil
  }
}

extension Binding {
  /// The names in it.
  fileprivate var paths: [MustacheName] {
    switch source {
    case .path(let path): [path]
    case .condition(let condition): [condition.path]
    case .text(let pieces): pieces.compactMap { if case .path(let path, _) = $0 { path } else { nil } }
    }
  }

  /// The name that decides alone what the entry sets.
  fileprivate var decidingName: String? {
    switch source {
    case .path(let name): name.text
    case .condition(let condition): condition.path.text
    case .text: nil
    }
  }
}
