/// What is wrong with a request's rows: gathered to refuse the request, or counted to skip them.
struct RowErrors {
  private let onError: Controls.OnError
  /// Bad rows are written into the answer, in their places.
  let writesErrors: Bool
  private(set) var skippedRows = 0
  /// What refuses the request; nil where nothing does so far.
  private var problem: Problem?
  private(set) var badRows = 0
  /// The code that all errors so far have; nil: they differ.
  private var sharedCode: Problem.Code?

  init(onError: Controls.OnError, writesErrors: Bool) {
    self.onError = onError
    self.writesErrors = writesErrors
  }

  /// The request is refused; rows are only judged from now on.
  var isRefused: Bool { onError == .fail && badRows > 0 }

  /// Somebody will read the next error's words.
  var describes: Bool { writesErrors || (onError == .fail && problem?.errorsAreFull != true) }

  /// Notes a bad row: its errors, as far as they are described, and how many there are.
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
    for _ in entries.count..<max(count, entries.count) where problem.errorsAreFull {
      problem.addUndescribed()
    }
  }

  /// The problem that refuses a request of `count` rows; nil where none is bad.
  ///
  /// It has the code that all errors share, if that is one of content (422); else `invalid-row`.
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
