/// Why a hole, or what stands at a place, is refused: a diagnostic without its place.
struct Refusal: Error {
  let code: DiagnosticCode
  let message: String
  let hint: String

  init(_ code: DiagnosticCode, _ message: String, hint: String) {
    self.code = code
    self.message = message
    self.hint = hint
  }
}
