/// The errors of a request's rows: collected if they refuse the request, counted if they are skipped.
struct RowErrors {
  private let onError: Controls.OnError
  /// Whether bad rows are written into the answer in their positions.
  let writesErrors: Bool
  private(set) var skippedRows = 0
  /// The problem that refuses the request; nil so far.
  private var problem: Problem?
  private(set) var badRows = 0
  /// The code shared by all errors so far; nil if they differ.
  private var sharedCode: Problem.Code?

  init(onError: Controls.OnError, writesErrors: Bool) {
    self.onError = onError
    self.writesErrors = writesErrors
  }

  /// Whether the request is refused, so that further rows are only checked.
  var isRefused: Bool { onError == .fail && badRows > 0 }

  /// Whether the next error's description will be reported.
  var describes: Bool { writesErrors || (onError == .fail && problem?.errorsAreFull != true) }

  /// Adds a bad row: its described errors, and the number of all its errors.
  mutating func add(_ entries: [Problem.Entry], count: Int) {
    badRows += 1
    guard onError == .fail else {
      skippedRows += 1
      return
    }
    var problem = problem.take() ?? Problem(.invalidRow, detail: "")
    defer { self.problem = problem }
    for entry in entries {
      if problem.errorCount == 0 { sharedCode = entry.code }
      if sharedCode != entry.code { sharedCode = nil }
      problem.add(entry)
    }
    problem.addUndescribed(max(count - entries.count, 0))
  }

  /// The problem that refuses a request with `count` rows; nil if no row is bad.
  ///
  /// It has the code shared by all errors if its status is 422, otherwise `invalid-row`.
  func refusal(of count: Int) -> Problem? {
    guard isRefused, var refusal = problem else { return nil }
    if let sharedCode, sharedCode.status == Problem.Code.invalidRow.status { refusal.code = sharedCode }
    if refusal.errorCount == 1 {
      refusal.detail = refusal.errors[0].detail
    } else {
      refusal.detail = "\(badRows) of \(count) rows are bad; on_error=skip renders the others"
    }
    return refusal
  }
}
