extension ProgramWriter {
  /// Writes a `condition` for each condition, and what they decide.
  mutating func writeConditions(_ conditions: [Condition], isBeside: Bool, _ content: [CellNode], at: Int) {
    var starts: [Int] = []
    let outer = parent
    for condition in conditions {
      starts.append(writeCondition(condition, isBeside: isBeside, at: at))
      // The parts of the content are inside of all conditions.
      parent = parts.count - 1
    }
    write(content)
    flush()
    parent = outer
    for start in starts { builder.tables.ops[start].b = UInt32(builder.tables.ops.count) }
  }

  /// Writes a `plural` and its content.
  mutating func writePlural(
    _ name: MustacheName, _ rule: PluralRule, isInverted: Bool, _ content: [CellNode], at: Int
  ) {
    let number = UInt32(builder.tables.conditions.count)
    let literals = rule.numbers.map { ConditionLiteralEntry(.word, text: builder.literal($0)) }
    let part = note(CellPart(role: .plural, name: name.text, entry: number, at: at))
    builder.tables.conditions.append(
      ConditionEntry(
        .plural, path: builder.path(name), literalStart: UInt32(builder.tables.conditionLiterals.count),
        literalCount: UInt32(literals.count),
        categories: .init(
          rule.categories, isOrdinal: rule.isOrdinal, isInverted: isInverted, ownCount: literals.count)))
    builder.tables.conditionLiterals += literals
    let start = append(Op(.plural, a: number, c: slot()))
    write(content, in: part, isTopLevel: true)
    end(at: start)
  }

  /// Writes what is in the element of a plural, as what depends on whether it is there.
  mutating func writeElement(of bind: BindNode, _ content: [CellNode]) {
    guard let path = bind.path else { return write(content) }
    let outer = parent
    let number = UInt32(builder.tables.conditions.count)
    parent = note(CellPart(role: .condition, name: path.text, entry: number, at: bind.at))
    builder.tables.conditions.append(
      ConditionEntry(
        .plural, path: builder.path(path), literalStart: UInt32(builder.tables.conditionLiterals.count),
        literalCount: 0,
        categories: .init(ofElement: MissingPolicy.Own(missing), isReached: countPolicy != nil)))
    write(content)
    parent = outer
  }

  /// Writes the condition of a case, and what it decides.
  mutating func writeCase(of choice: PluralChoice, _ content: [CellNode], at: Int) {
    let question = choice.question(at: at)
    let number = UInt32(builder.tables.conditions.count)
    let outer = parent
    note(CellPart(role: .condition, name: choice.path.text, entry: number, at: at))
    parent = parts.count - 1
    let literals = (question.numbers + question.others).map {
      ConditionLiteralEntry(.word, text: builder.literal($0))
    }
    builder.tables.conditions.append(
      ConditionEntry(
        .plural, path: builder.path(choice.path),
        literalStart: UInt32(builder.tables.conditionLiterals.count), literalCount: UInt32(literals.count),
        categories: .init(
          question.categories, isOrdinal: choice.isOrdinal, isDefault: question.isDefault,
          policy: countPolicy, ownCount: question.numbers.count)))
    builder.tables.conditionLiterals += literals
    let start = append(Op(.condition, a: number, c: slot()))
    write(content)
    parent = outer
    end(at: start)
  }

  /// Writes a `condition` without its end. Its last part is the one that contains what it decides.
  private mutating func writeCondition(_ condition: Condition, isBeside: Bool, at: Int) -> Int {
    let number = UInt32(builder.tables.conditions.count)
    var entries: [ConditionLiteralEntry] = []
    for literal in condition.literals {
      switch literal {
      case .word(let text): entries.append(ConditionLiteralEntry(.word, text: builder.literal(text)))
      case .quoted(let text): entries.append(ConditionLiteralEntry(.quoted, text: builder.literal(text)))
      case .path(let path):
        entries.append(
          ConditionLiteralEntry(.path, text: builder.literal(path.text), path: builder.path(path)))
        note(CellPart(role: .condition, name: path.text, entry: number, at: at))
      }
    }
    note(CellPart(role: .condition, name: condition.path.text, entry: number, at: at))
    builder.tables.conditions.append(
      ConditionEntry(
        condition.comparison, path: builder.path(condition.path),
        literalStart: UInt32(builder.tables.conditionLiterals.count), literalCount: UInt32(entries.count)))
    builder.tables.conditionLiterals += entries
    return append(Op(isBeside ? .conditionBeside : .condition, a: number, c: slot()))
  }
}
