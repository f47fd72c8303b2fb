/// Why something is refused: a diagnostic without its position.
struct Refusal: Error {
  let code: DiagnosticCode
  let message: String
  let hint: String
  /// Whether the hole before the place is at fault, which shows only from what follows.
  let isOfHole: Bool

  init(_ code: DiagnosticCode, _ message: String, isOfHole: Bool = false, hint: String) {
    self.code = code
    self.message = message
    self.isOfHole = isOfHole
    self.hint = hint
  }
}
