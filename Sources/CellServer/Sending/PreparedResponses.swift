import Cells

/// The responses of one worker that wait for an answer of their kind: one at each of `places`, where a kind goes that was
/// missed there twice in a row.
///
/// Bounded: bodies of at most `largestBytes` each, 4 MiB in all, and some hundreds of bytes of headers for each. Confined to
/// the worker's thread.
struct PreparedResponses: ~Copyable {
  static let largestBytes = 16 << 10
  /// A power of two.
  private static let places = 256

  private var waiting: [PreparedResponse?] = Array(repeating: nil, count: places)
  /// The kind of the last answer at each place for which no response waited.
  private var missed: [PreparedResponse.Kind?] = Array(repeating: nil, count: places)

  /// A response for the answer, filled with it, and the caller's until it is kept again.
  /// - Returns: nil: the answer is better sent with a response of its own.
  mutating func take(
    for answer: borrowing Answer, to head: borrowing RequestHead, _ settings: borrowing ServerSettings,
    archiveHash: String
  ) -> PreparedResponse? {
    guard let kind = PreparedResponse.Kind(of: answer, to: head) else { return nil }
    let place = Self.place(of: kind)
    var found: PreparedResponse?
    swap(&found, &waiting[place])
    if found?.kind != kind || found?.archiveHash != archiveHash {
      guard missed[place] == kind else {
        missed[place] = kind
        swap(&found, &waiting[place])
        return nil
      }
      found = PreparedResponse(kind, for: answer, to: head, settings, archiveHash: archiveHash)
    }
    guard let found, found.fill(answer.body.bytes, requestID: head.requestID) else { return nil }
    return found
  }

  /// Takes back what nobody sends any more.
  mutating func keep(_ response: PreparedResponse) {
    waiting[Self.place(of: response.kind)] = response
  }

  private static func place(of kind: PreparedResponse.Kind) -> Int { kind.spread & (places - 1) }
}
