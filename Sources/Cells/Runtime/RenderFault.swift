/// Why a row could not be rendered.
package enum RenderFault: Error {
  /// Partials call one another deeper than the limit; the kind is the one that was not entered.
  case tooDeep(kind: String, limit: Int)
  /// Loops and calls, of all rows of the request so far, pass the limit.
  case tooMuchWork(limit: Int)
  /// The output passes the limit in bytes.
  case outputTooLarge(limit: Int)
  /// Names that were reached and found nothing, under `missing=error`: the first of them, and how many in all.
  case missing([MissingName], count: Int)
  /// No fault: the time is over, and the row is to be gone on with. Only where the factory is told when to pause.
  case paused
}

/// A name that was reached and found nothing.
package struct MissingName: Equatable {
  /// The name as the template writes it.
  package let name: String
  /// The nearest enclosing object: a node of the row or of the owner; nil where the row is no object.
  package let object: UInt32?
}

extension RenderFault {
  /// What is wrong, as a sentence without its full stop.
  package var description: String {
    switch self {
    case .tooDeep(let kind, let limit): "partials are nested deeper than \(limit) where \"\(kind)\" is called"
    case .tooMuchWork(let limit): "loops and partials take more than \(limit) turns"
    case .outputTooLarge(let limit): "the output is larger than \(limit) bytes"
    case .missing(let names, let count):
      "\(count) names find nothing: \(names.prefix(10).map(\.name).joined(separator: ", "))"
    case .paused: "the row is not drawn to its end"
    }
  }
}
