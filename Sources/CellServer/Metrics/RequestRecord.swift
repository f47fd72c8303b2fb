/// One answered request, for the log.
package struct RequestRecord: Sendable {
  package var method: String
  /// As sent, without the query, which may contain data.
  package var path: String
  package var status: Int
  /// Length of the answer's body; for a streamed body, the bytes passed on for sending.
  package var bytes: Int
  /// From the request line until the answer was passed on for sending, or until a streamed answer ended.
  package var microseconds: Int
  package var requestID: String
  /// The client's trace, if it sent a valid one.
  package var trace: TraceParent?
}
