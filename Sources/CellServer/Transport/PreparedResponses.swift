import Cells

/// The responses of one worker that wait for an answer of their kind: one for each of `places` lengths, of those that have
/// been seen twice in a row at their place.
///
/// Bounded: bodies of at most `largestBytes` each, 4 MiB in all, and some hundreds of bytes of headers for each. Confined to
/// the worker's thread.
struct PreparedResponses: ~Copyable {
  static let largestBytes = 16 << 10
  /// A power of two.
  private static let places = 256

  private var waiting: [PreparedResponse?] = Array(repeating: nil, count: places)
  /// The length of the last answer at each place for which no response waited.
  private var missed: [Int] = Array(repeating: 0, count: places)

  /// A response for the answer, filled with it, and the caller's until it is kept again.
  /// - Returns: nil: the answer is better sent with a response of its own.
  mutating func take(
    for answer: borrowing Answer, to head: borrowing RequestHead, _ settings: borrowing ServerSettings,
    archiveHash: String
  ) -> PreparedResponse? {
    guard let kind = PreparedResponse.Kind(of: answer, to: head) else { return nil }
    let place = Self.place(ofLength: kind.count)
    var found: PreparedResponse?
    swap(&found, &waiting[place])
    if found?.kind != kind || found?.archiveHash != archiveHash {
      guard missed[place] == kind.count else {
        missed[place] = kind.count
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
    waiting[Self.place(ofLength: response.kind.count)] = response
  }

  private static func place(ofLength count: Int) -> Int { count & (places - 1) }
}
