import Cells

/// The reusable responses of one worker: a table with one response in each of `positions`. A kind enters its
/// place after two misses there in a row.
///
/// Bounded: bodies of at most `largestBytes` each, 4 MiB in total, plus some hundred bytes of headers each.
/// Confined to the worker's thread.
struct PreparedResponses: ~Copyable {
  static let largestBytes = 16 << 10
  /// A power of two.
  private static let positions = 256

  private var waiting: [PreparedResponse?] = Array(repeating: nil, count: positions)
  /// The kind of the last answer that missed, for each place.
  private var missed: [PreparedResponse.Kind?] = Array(repeating: nil, count: positions)

  /// A response filled with the answer. It belongs to the caller until `keep`.
  /// - Returns: nil if the answer should be sent with a response of its own.
  mutating func take(
    for answer: borrowing Answer, to head: borrowing RequestHead, _ settings: borrowing ServerSettings,
    archiveHash: String
  ) -> PreparedResponse? {
    guard let kind = PreparedResponse.Kind(of: answer, to: head) else { return nil }
    let position = Self.position(of: kind)
    var found: PreparedResponse?
    swap(&found, &waiting[position])
    let tellsOfFailedReload = !settings.metrics.reloads.lastWasSuccessful
    if found?.kind != kind || found?.archiveHash != archiveHash
      || found?.tellsOfFailedReload != tellsOfFailedReload
    {
      guard missed[position] == kind else {
        missed[position] = kind
        swap(&found, &waiting[position])
        return nil
      }
      found = PreparedResponse(
        kind, for: answer, to: head, settings, archiveHash: archiveHash,
        tellsOfFailedReload: tellsOfFailedReload)
    }
    guard let found, found.fill(answer.body.bytes, requestID: head.requestID) else { return nil }
    return found
  }

  /// Takes back a response that is no longer being sent.
  mutating func keep(_ response: PreparedResponse) {
    waiting[Self.position(of: response.kind)] = response
  }

  private static func position(of kind: PreparedResponse.Kind) -> Int { kind.spread & (positions - 1) }
}
