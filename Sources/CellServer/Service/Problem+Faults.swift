import Cells

extension Problem {
  /// The first fault of a text that should be JSON.
  init(_ fault: JSONFault, line: Int, column: Int) {
    self.init(
      fault.kind == .tooDeep ? .tooDeep : .invalidJSON,
      detail: "line \(line), column \(column): \(fault.reason)", line: line, column: column)
  }

  /// The worker's bytes in flight are used up.
  static var busy: Problem {
    overloaded(detail: "too much is being worked on; try again soon", retryAfterSeconds: 1)
  }

  static func outputTooLarge(limitBytes: Int) -> Problem {
    Problem(
      .outputTooLarge, detail: "the answer is larger than \(limitBytes) bytes; send fewer rows at a time")
  }

  /// One row's errors as one problem: their own code where they share one, else `invalid-row`.
  /// - Parameter count: all errors, those that are not described included.
  init(_ errors: [Entry], count: Int) {
    let code = errors.first?.code ?? .invalidRow
    let isShared = errors.allSatisfy { $0.code == code }
    self.init(
      isShared ? code : .invalidRow,
      detail: errors.count == 1 ? errors[0].detail : "\(count) things are wrong with this row")
    for error in errors { add(error) }
    for _ in errors.count..<max(count, errors.count) where errorsAreFull { addUndescribed() }
  }
}
