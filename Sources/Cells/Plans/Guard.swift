import CRowPlan
import CellTemplates

/// A condition that compared texts of the row being recorded, and its outcome.
struct Guard {
  /// The archive's number of the condition.
  let condition: UInt32
  /// The texts: what was found, and what it was compared with if that was found, too.
  let value: JSONTape.Index
  let other: JSONTape.Index?
  let holds: Bool

  /// As part of a plan for the row.
  func entry(for row: JSONTape.Index, on tape: JSONTape, _ conditions: Conditions) -> cf_guard {
    var entry = cf_guard(
      value: value - row, other: other.map { $0 - row } ?? CF_NO_NODE, condition: condition, holds: holds,
      form: UInt8(CF_GUARD_CONDITION.rawValue), comparison: 0, count: 0, word: 0)
    let rule = conditions.rows[Int(condition)]
    // A plural asks for more than its number.
    guard other == nil, rule.literal_count == 1, rule.comparison != CF_IS_PLURAL.rawValue else {
      return entry
    }
    let literal = conditions.literals[Int(rule.literal_start)]
    guard literal.form != CF_LITERAL_PATH.rawValue else { return entry }
    let text = UnsafeBufferPointer(
      start: conditions.texts + Int(literal.text), count: Int(literal.text_count))
    let equates = rule.comparison == CF_EQUAL.rawValue || rule.comparison == CF_NOT_EQUAL.rawValue
    if equates, tape.kind(value) == .string {
      setWord(text, isEqual: rule.comparison == CF_EQUAL.rawValue, &entry)
    } else if !equates || literal.form == CF_LITERAL_WORD.rawValue {
      var decimal = cf_decimal()
      guard cf_read_decimal(text.baseAddress!, text.count, &decimal) else { return entry }
      entry.form = UInt8(CF_GUARD_DECIMAL.rawValue)
      entry.comparison = UInt8(rule.comparison)
      entry.count = UInt8(decimal.scale)
      entry.word = UInt64(bitPattern: decimal.digits)
    }
    return entry
  }

  private func setWord(_ text: UnsafeBufferPointer<UInt8>, isEqual: Bool, _ entry: inout cf_guard) {
    guard text.count <= 8 else { return }
    entry.form = UInt8(CF_GUARD_WORD.rawValue)
    entry.count = UInt8(text.count)
    withUnsafeMutableBytes(of: &entry.word) { word in
      for index in text.indices { word[index] = text[index] }
    }
    if !isEqual { entry.holds.toggle() }
  }
}

extension cf_guard {
  /// Whether two guards ask the same, whatever the outcome.
  func asksAs(_ other: cf_guard) -> Bool {
    value == other.value && self.other == other.other && condition == other.condition && form == other.form
      && comparison == other.comparison && count == other.count && word == other.word
  }
}
