import CRowPlan
import CellTemplates

/// The clock is looked at after a longer text was compared.
private let clockedBytes = 1 << 16

/// Conditions: `data-when`, boolean attributes, tokens. Paths in them are those of outlets.
extension MemberLookup where Self: ~Copyable {
  /// Whether a condition holds.
  /// - Parameters:
  ///   - condition: its number in the archive.
  ///   - slot: a slot for a hint.
  ///   - isBlind: whether names find nothing, and only the item itself is known.
  /// - Throws: `.paused`.
  @inline(never)
  mutating func holds(
    _ condition: UInt32, slot: UInt32, isBlind: Bool = false, in contexts: inout ContextStack
  ) throws(RenderFault) -> Bool {
    let rule = Rule(conditions, condition, slot: slot, isBlind: isBlind)
    if let paused = lookups.pausedCondition {
      lookups.pausedCondition = nil
      return try holds(rule, paused, in: &contexts)
    }
    let own = path(conditions.rows[Int(condition)].path)
    let value = try findOutletPath(own, slot: slot, in: &contexts)
    return try holds(rule, LookupMemo.PausedCondition(value: value), in: &contexts)
  }

  /// Whether a condition holds for the value found at its path.
  @inline(never)
  mutating func holds(
    _ condition: UInt32, for value: RenderValue, slot: UInt32, in contexts: inout ContextStack
  ) throws(RenderFault) -> Bool {
    let rule = Rule(conditions, condition, slot: slot, isBlind: false)
    return try holds(rule, LookupMemo.PausedCondition(value: value), in: &contexts)
  }

  @inline(__always)
  private mutating func holds(
    _ rule: Rule, _ state: LookupMemo.PausedCondition, in contexts: inout ContextStack
  ) throws(RenderFault) -> Bool {
    switch rule.comparison {
    case .truthy: return tape.isTruthy(state.value)
    case .falsy: return !tape.isTruthy(state.value)
    case .equal: return try equalsAny(state, rule, in: &contexts)
    case .notEqual: return try !equalsAny(state, rule, in: &contexts)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return try isInOrder(state, rule, in: &contexts)
    case .plural: return isPlural(state.value, rule)
    }
  }

  /// Whether a value equals one of the condition's literals. Objects, lists and missing values equal nothing; for the last, no
  /// literal is looked up.
  private mutating func equalsAny(
    _ state: LookupMemo.PausedCondition, _ rule: Rule, in contexts: inout ContextStack
  ) throws(RenderFault) -> Bool {
    var state = state
    let value = state.value
    if value.isMissing { return false }
    if !state.isCounted {
      noteLiterals(of: rule)
      noteWork(value)
      state.isCounted = true
    }
    while state.literal < rule.literalCount {
      let literal = rule.literals + state.literal
      if literal.pointee.form == CF_LITERAL_PATH.rawValue {
        let other = try find(literal, rule, state, in: &contexts)
        if isText(value) {
          // Plans compare a text with one other text at most.
          if state.found != nil || other.loopNumber != nil || isSpoken(other) { state.isForeign = true }
        } else if value.loopNumber != nil || isSpoken(value), isText(other) {
          state.isForeign = true
        }
        state.found = other
        if equals(value, other) { state.isEqual = true }
        state.literal += 1
        let isLong = noteWork(other)
        let isNumberLong = isNumber(other) && noteDigits(value)
        if isLong || isNumberLong, isTimeOver() { throw pause(state) }
      } else {
        if equals(value, literal) { state.isEqual = true }
        state.literal += 1
        if noteDigits(value), isTimeOver() { throw pause(state) }
      }
    }
    if state.isForeign {
      noteForeign()
    } else if isText(value) {
      let other = state.found.flatMap { isText($0) ? $0 : nil }
      let holds = state.isEqual == (rule.comparison == .equal)
      noteComparison(rule.number, value.raw, other?.raw, holds: holds)
    }
    return state.isEqual
  }

  /// The value found at a literal's path.
  private mutating func find(
    _ literal: UnsafePointer<cf_literal>, _ rule: Rule, _ state: LookupMemo.PausedCondition,
    in contexts: inout ContextStack
  ) throws(RenderFault) -> RenderValue {
    if rule.isBlind, path(literal.pointee.path).pointee.root != PathEntry.Root.item.rawValue {
      return .missing
    }
    do throws(RenderFault) {
      return try findOutletPath(path(literal.pointee.path), slot: rule.slot, in: &contexts)
    } catch {
      if lookups.isUnfinished { lookups.pausedCondition = state }
      throw error
    }
  }

  private mutating func pause(_ state: LookupMemo.PausedCondition) -> RenderFault {
    lookups.pausedCondition = state
    lookups.isUnfinished = true
    return .paused
  }

  /// Whether the value's number is on the right side of that of the condition's only literal.
  private mutating func isInOrder(
    _ state: LookupMemo.PausedCondition, _ rule: Rule, in contexts: inout ContextStack
  ) throws(RenderFault) -> Bool {
    let value = state.value
    if !mayBeNumber(value) { return false }
    var other = RenderValue.missing
    if rule.literals.pointee.form == CF_LITERAL_PATH.rawValue {
      if let found = state.found {
        other = found
      } else {
        other = try find(rule.literals, rule, state, in: &contexts)
      }
      if !mayBeNumber(other) { return false }
    }
    if !state.isCounted {
      let (isLong, isOtherLong) = (noteWork(value), noteWork(other))
      if isLong || isOtherLong, isTimeOver() {
        var state = state
        (state.found, state.isCounted) = (other, true)
        throw pause(state)
      }
    }
    var table = conditions
    let tape = tape
    let holds = tape.withText(of: value) { text in
      tape.withText(of: other) { other in cf_text_holds(&table, rule.number, text, other) }
    }
    if isText(value), other.isMissing || isText(other) {
      noteComparison(rule.number, value.raw, other.isMissing ? nil : other.raw, holds: holds)
    } else if isText(value) || isText(other) {
      noteForeign()
    }
    return holds
  }

  /// Whether a value's number, or the number of its items, has the category that a plural asks for. A missing one and
  /// `null` have none.
  private mutating func isPlural(_ value: RenderValue, _ rule: Rule) -> Bool {
    let categories = ConditionEntry.Categories(rawValue: conditions.rows[Int(rule.number)].categories)
    if tape.isNothing(value) { return categories.isDefault }
    var table = conditions
    if let number = value.loopNumber { return cf_plural_holds_for_count(&table, rule.number, UInt64(number)) }
    if value.isNode {
      switch tape.kind(value.raw) {
      case .array: return cf_plural_holds_for_count(&table, rule.number, UInt64(tape.count(value.raw)))
      case .string, .number:
        noteLiterals(of: rule)
        noteWork(value)
        let holds = tape.withText(of: value) { cf_plural_holds(&table, rule.number, $0) }
        noteComparison(rule.number, value.raw, nil, holds: holds)
        return holds
      case .null, .true, .false, .object, .key: break
      }
    }
    // No number has this text.
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { text in
      text[0] = UInt8(ascii: "x")
      return cf_plural_holds(
        &table, rule.number, cf_text(bytes: text.baseAddress, count: 1, is_number: false))
    }
  }

  // MARK: Comparing

  private func isText(_ value: RenderValue) -> Bool { value.isNode && tape.kind(value.raw).isText }

  private func isNumber(_ value: RenderValue) -> Bool {
    value.loopNumber != nil || (value.isNode && tape.kind(value.raw) == .number)
  }

  /// Whether it is `@locale` or `@dir`: a string, although no node.
  private func isSpoken(_ value: RenderValue) -> Bool { !value.isNode && value.isText }

  /// The text of `@locale` or `@dir`; nil for other values.
  private func spoken(_ value: RenderValue) -> String? {
    isSpoken(value) ? value == .locale ? localeTexts.tag : localeTexts.direction : nil
  }

  private func mayBeNumber(_ value: RenderValue) -> Bool { isText(value) || value.loopNumber != nil }

  /// Whether a value equals a word, quoted or not.
  private func equals(_ value: RenderValue, _ literal: UnsafePointer<cf_literal>) -> Bool {
    let word = UnsafeBufferPointer(
      start: conditions.texts + Int(literal.pointee.text), count: Int(literal.pointee.text_count))
    let isQuoted = literal.pointee.form == CF_LITERAL_QUOTED.rawValue
    if let text = spoken(value) { return word.elementsEqual(text.utf8) }
    if mayBeNumber(value) {
      return tape.withText(of: value) { cf_text_equals($0, word.baseAddress!, word.count, isQuoted) }
    }
    guard !isQuoted, let name = self.word(for: value) else { return false }
    return word.elementsEqual(name.utf8)
  }

  /// Whether two values found are equal.
  private func equals(_ value: RenderValue, _ other: RenderValue) -> Bool {
    let tape = tape
    if let text = spoken(value) { return equals(other, text) }
    if let text = spoken(other) { return equals(value, text) }
    if mayBeNumber(value), mayBeNumber(other) {
      return tape.withText(of: value) { text in
        tape.withText(of: other) { other in cf_texts_equal(text, other) }
      }
    }
    guard let word = word(for: value), let otherWord = self.word(for: other) else { return false }
    return word == otherWord
  }

  /// Whether a value is a string.
  private func equals(_ value: RenderValue, _ text: String) -> Bool {
    if let other = spoken(value) { return text == other }
    return value.isNode && tape.kind(value.raw) == .string && tape.bytes(value.raw).elementsEqual(text.utf8)
  }

  /// The word for a value that is `true`, `false` or `null`; nil for any other.
  private func word(for value: RenderValue) -> String? {
    guard value.isNode else {
      if value.isMissing || value.isText || value.loopNumber != nil { return nil }
      return value.isNull ? "null" : value.isTrue ? "true" : "false"
    }
    switch tape.kind(value.raw) {
    case .true: return "true"
    case .false: return "false"
    case .null: return "null"
    case .number, .string, .array, .object, .key: return nil
    }
  }

  /// Counts the work of comparing with all literals.
  private mutating func noteLiterals(of rule: Rule) {
    note(steps: rule.literalCount)
    lookSoon()
  }

  /// Counts the work of comparing a text, if it is long. Returns whether it takes so long that the clock is looked at.
  @discardableResult
  private mutating func noteWork(_ value: RenderValue) -> Bool {
    guard isText(value), tape.count(value.raw) > Int(CF_GUARDED_BYTES) else { return false }
    note(steps: tape.count(value.raw))
    noteLongText()
    lookSoon()
    return tape.count(value.raw) > clockedBytes
  }

  /// Counts the work of comparing a number with another: whatever that is, all digits are read. Returns the same as `noteWork`.
  private mutating func noteDigits(_ value: RenderValue) -> Bool {
    value.isNode && tape.kind(value.raw) == .number && noteWork(value)
  }
}

extension JSONTape {
  /// Calls `body` with the text of a value that is a text or a number; with none if the value is missing.
  fileprivate func withText<Result>(of value: RenderValue, _ body: (cf_text) -> Result) -> Result {
    if value.isMissing { return body(cf_text(bytes: nil, count: 0, is_number: false)) }
    guard let number = value.loopNumber else {
      return body(
        cf_text(
          bytes: start(value.raw), count: count(value.raw),
          is_number: kind(value.raw) == .number))
    }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var (rest, start) = (number, 20)
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      return body(cf_text(bytes: digits.baseAddress! + start, count: 20 - start, is_number: true))
    }
  }
}

/// A condition of the archive.
private struct Rule {
  let number: UInt32
  let comparison: ConditionEntry.Comparison
  let literals: UnsafePointer<cf_literal>
  let literalCount: Int
  /// The slot for hints.
  let slot: UInt32
  /// Whether names find nothing, and only the item itself is known.
  let isBlind: Bool

  init(_ conditions: Conditions, _ number: UInt32, slot: UInt32, isBlind: Bool) {
    let row = conditions.rows[Int(number)]
    self.number = number
    self.slot = slot
    self.isBlind = isBlind
    comparison = verifiedCode(UInt8(truncatingIfNeeded: row.comparison))
    literals = conditions.literals + Int(row.literal_start)
    literalCount = Int(row.literal_count)
  }
}
