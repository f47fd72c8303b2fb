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
      is_short: false, count: 0, word: 0)
    let rule = conditions.rows[Int(condition)]
    guard other == nil, rule.literal_count == 1, tape.kind(value) == .string,
      rule.comparison == CF_EQUAL.rawValue || rule.comparison == CF_NOT_EQUAL.rawValue
    else { return entry }
    let literal = conditions.literals[Int(rule.literal_start)]
    guard literal.form != CF_LITERAL_PATH.rawValue, literal.text_count <= 8 else { return entry }
    entry.is_short = true
    entry.count = UInt16(literal.text_count)
    withUnsafeMutableBytes(of: &entry.word) { word in
      for index in 0..<Int(literal.text_count) { word[index] = conditions.texts[Int(literal.text) + index] }
    }
    if rule.comparison == CF_NOT_EQUAL.rawValue { entry.holds.toggle() }
    return entry
  }
}
