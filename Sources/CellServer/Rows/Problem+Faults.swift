import Cells

extension Problem {
  /// The first error of a text that is not valid JSON.
  init(_ fault: JSONFault, line: Int, column: Int) {
    self.init(
      fault.kind == .tooDeep ? .tooDeep : .invalidJSON,
      detail: "line \(line), column \(column): \(fault.reason)", line: line, column: column)
  }

  /// The problem for a body that would not fit even if nothing else were held, so that a retry is pointless.
  /// - Parameter neededBytes: an upper bound for the body and reading it.
  static func neverFits(neededBytes: Int, limitBytes: Int) -> Problem {
    Problem(
      .bodyTooLarge,
      detail: """
        reading this body takes up to \(neededBytes) bytes of memory, and of --in-flight-limit-bytes (\(limitBytes)) one \
        request may use \(MemoryBudget.largestBytes(within: limitBytes)); send fewer rows at a time
        """)
  }

  /// Same, for an answer, including the body, the rows and the output made before sending.
  static func neverFits(answerOf neededBytes: Int, limitBytes: Int) -> Problem {
    Problem(
      .outputTooLarge,
      detail: """
        the rows and their answer take \(neededBytes) bytes of memory, and of --in-flight-limit-bytes (\(limitBytes)) one \
        request may use \(MemoryBudget.largestBytes(within: limitBytes)); send fewer or smaller rows
        """)
  }

  /// Same, for a document that describes an archive.
  static func neverFits(documentOf neededBytes: Int, limitBytes: Int) -> Problem {
    Problem(
      .outputTooLarge,
      detail: """
        this document takes \(neededBytes) bytes of memory and exceeds --in-flight-limit-bytes (\(limitBytes)); \
        request one kind at a time
        """)
  }

  static func documentTooLarge(limitBytes: Int) -> Problem {
    Problem(
      .outputTooLarge, detail: "this document is larger than \(limitBytes) bytes; ask for one kind at a time")
  }

  static func outputTooLarge(limitBytes: Int) -> Problem {
    Problem(
      .outputTooLarge, detail: "the answer is larger than \(limitBytes) bytes; send fewer rows at a time")
  }

  /// The errors of one row as one problem. It has their code if all share one, otherwise `invalid-row`.
  /// - Parameter count: the number of all errors, including those not described.
  init(_ errors: [Entry], count: Int) {
    let code = errors.first?.code ?? .invalidRow
    let isShared = errors.allSatisfy { $0.code == code }
    self.init(
      isShared ? code : .invalidRow,
      detail: errors.count == 1 ? errors[0].detail : "\(count) errors in this row")
    for error in errors { add(error) }
    addUndescribed(max(count - errorCount, 0))
  }
}
