import Cells

/// The reusable responses of one worker: a table with one response in each of `places`. A kind enters its
/// place after two misses there in a row.
///
/// Bounded: bodies of at most `largestBytes` each, 4 MiB in total, plus some hundred bytes of headers each.
/// Confined to the worker's thread.
struct PreparedResponses: ~Copyable {
  static let largestBytes = 16 << 10
  /// A power of two.
  private static let places = 256

  private var waiting: [PreparedResponse?] = Array(repeating: nil, count: places)
  /// The kind of the last answer that missed, for each place.
  private var missed: [PreparedResponse.Kind?] = Array(repeating: nil, count: places)

  /// A response filled with the answer. It belongs to the caller until `keep`.
  /// - Returns: nil if the answer should be sent with a response of its own.
  mutating func take(
    for answer: borrowing Answer, to head: borrowing RequestHead, _ settings: borrowing ServerSettings,
    archiveHash: String
  ) -> PreparedResponse? {
    guard let kind = PreparedResponse.Kind(of: answer, to: head) else { return nil }
    let place = Self.place(of: kind)
    var found: PreparedResponse?
    swap(&found, &waiting[place])
    let tellsOfFailedReload = !settings.metrics.reloads.lastWasSuccessful
    if found?.kind != kind || found?.archiveHash != archiveHash
      || found?.tellsOfFailedReload != tellsOfFailedReload
    {
      guard missed[place] == kind else {
        missed[place] = kind
        swap(&found, &waiting[place])
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
    waiting[Self.place(of: response.kind)] = response
  }

  private static func place(of kind: PreparedResponse.Kind) -> Int { kind.spread & (places - 1) }
}
