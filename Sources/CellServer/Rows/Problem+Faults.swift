import Cells

extension Problem {
  /// The first fault of a text that should be JSON.
  init(_ fault: JSONFault, line: Int, column: Int) {
    self.init(
      fault.kind == .tooDeep ? .tooDeep : .invalidJSON,
      detail: "line \(line), column \(column): \(fault.reason)", line: line, column: column)
  }

  /// More than there is room for while nothing else is held: to ask again is of no use.
  /// - Parameter neededBytes: what the body and its reading take at most.
  static func neverFits(neededBytes: Int, limitBytes: Int) -> Problem {
    Problem(
      .bodyTooLarge,
      detail: """
        reading this body takes up to \(neededBytes) bytes of memory, more than --in-flight-limit-bytes \
        (\(limitBytes)) allows; send fewer rows at a time
        """)
  }

  /// The same for an answer, as far as it is made before it is sent.
  static func neverFits(answerOf neededBytes: Int, limitBytes: Int) -> Problem {
    Problem(
      .outputTooLarge,
      detail: """
        this answer takes more than \(neededBytes) bytes of memory, and --in-flight-limit-bytes (\(limitBytes)) has no \
        room for them; send fewer or smaller rows
        """)
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
