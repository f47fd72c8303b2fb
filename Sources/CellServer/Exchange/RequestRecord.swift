/// One answered request, as a log tells it.
package struct RequestRecord: Sendable {
  package var method: String
  /// As sent, without the query: that may hold data.
  package var path: String
  package var status: Int
  /// Of the answer's body; of a streamed one, those that were taken for sending.
  package var bytes: Int
  /// From the request's line to the answer handed over for sending, or to the end of a streamed one.
  package var microseconds: Int
  package var requestID: String
  /// As the client sent it, if it did and it is one.
  package var trace: TraceParent?
}
