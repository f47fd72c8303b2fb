/// Why a hole, or what stands at a place, is refused: a diagnostic without its place.
struct Refusal: Error {
  let code: DiagnosticCode
  let message: String
  let hint: String
  /// The hole before the place is at fault, which shows only by what follows it.
  let isOfHole: Bool

  init(_ code: DiagnosticCode, _ message: String, isOfHole: Bool = false, hint: String) {
    self.code = code
    self.message = message
    self.isOfHole = isOfHole
    self.hint = hint
  }
}
