/// The bytes in flight of one worker: held bodies, what the parser needs, answers not yet sent.
///
/// Shared out so that nobody locks the others out. Large bodies have at most half of it together, so that there is room
/// to read those that have come; and the last sixteenth is for small amounts, so that small requests are served beside
/// whatever large ones hold. A body counts as far as it has come, not as far as it was announced.
///
/// Not `Sendable`: only the worker's thread counts. Whoever reserves or charges gives the same amount back.
package final class MemoryBudget {
  /// A body of so many bytes, and no more, is counted whole when its head comes.
  static let smallBodyBytes = 32 << 10
  private static let smallestShare = 16
  private static let spareLimitBytes = 64 << 20
  private static let smallLimitBytes = 256 << 10

  package let limitBytes: Int
  /// What follows where there is no room.
  let overload: OverloadPolicy
  /// What is left for small amounts, and how large these may be.
  private let spareBytes: Int
  private let smallBytes: Int
  // Unchecked, all: no method calls out while it has hold of one.
  @exclusivity(unchecked) package private(set) var heldBytes = 0
  /// Of them, those of large bodies.
  @exclusivity(unchecked) private var bodyBytes = 0
  /// Who reads a large body or makes its answer, and who waits to, in the order in which they came. No more than works are made at once.
  @exclusivity(unchecked) private var reading: [Ticket] = []
  @exclusivity(unchecked) private var waiting: [Ticket] = []
  @exclusivity(unchecked) private var tickets = 0

  package init(limitBytes: Int, overload: OverloadPolicy = OverloadPolicy()) {
    self.limitBytes = limitBytes
    self.overload = overload
    spareBytes = Self.spareBytes(of: limitBytes)
    smallBytes = min(spareBytes, Self.smallLimitBytes)
  }

  /// Where the worker counts what is done with these bytes.
  var statistics: WorkerStatistics { overload.statistics }

  private static func spareBytes(of limitBytes: Int) -> Int {
    min(limitBytes / smallestShare, spareLimitBytes)
  }

  /// Most bytes that a limit leaves for one body, while nothing else is held.
  package static func largestBytes(within limitBytes: Int) -> Int { limitBytes - spareBytes(of: limitBytes) }

  /// Counts `bytes` if they fit under the limit; `false`: nothing was counted.
  package func reserve(_ bytes: Int) -> Bool {
    let room = limitBytes - heldBytes
    guard bytes <= (bytes <= smallBytes ? room : room - spareBytes) else { return false }
    heldBytes += bytes
    return true
  }

  /// Most bytes that can be counted for one body, or for one answer, while nothing else is held.
  var largestBytes: Int { limitBytes - spareBytes }

  /// Counts memory that is held already, over the limit if need be: an answer that is made can only be sent.
  package func charge(_ bytes: Int) { heldBytes += bytes }

  package func release(_ bytes: Int) {
    heldBytes -= bytes
    precondition(heldBytes >= 0, "more was given back than was taken")
  }

  // MARK: - Large bodies

  /// Whether a body that is to have `bytes` would have room, as things are.
  func hasRoom(forBodyOf bytes: Int) -> Bool {
    // A body alone may be larger than its half.
    (bodyBytes == 0 || bytes <= limitBytes / 2 - bodyBytes) && bytes <= limitBytes - spareBytes - heldBytes
  }

  /// Counts `bytes` more of a large body, of which `counted` are counted already; `false`: nothing was counted.
  func reserveBody(_ bytes: Int, counted: Int) -> Bool {
    guard bodyBytes == counted || bytes <= limitBytes / 2 - bodyBytes,
      bytes <= limitBytes - spareBytes - heldBytes
    else { return false }
    heldBytes += bytes
    bodyBytes += bytes
    return true
  }

  /// Gives back what was counted of a large body, or a part of it.
  func releaseBody(_ bytes: Int) {
    bodyBytes -= bytes
    release(bytes)
  }

  // MARK: - Reading large bodies

  /// Who reads a large body and makes its answer, or waits to.
  struct Ticket: Equatable {
    fileprivate let number: Int
  }

  /// A ticket that nobody else has.
  func drawTicket() -> Ticket {
    tickets += 1
    return Ticket(number: tickets)
  }

  /// What becomes of who asks for the memory that reading takes.
  enum Room {
    case reserved
    /// Others are reading, or making their answers, and will have done with theirs.
    case soon
    case none
  }

  /// Counts the `bytes` that reading a large body may take at most, many times what is held of it when it is read.
  ///
  /// While others read, and make their answers, the next waits for them: for the worker's time, that is, which they would
  /// have to share anyway. Where nobody does, the memory is what streams hold, for as long as their clients take: that is
  /// not waited for.
  /// - Parameter reader: asks again in every turn of the loop, until it is told otherwise than `soon`; then, or when it
  ///   goes away before, it calls `endReading`.
  func reserveReading(_ bytes: Int, for reader: Ticket) -> Room {
    let isNext = waiting.first.map { $0 == reader } ?? true
    if isNext, reserve(bytes) {
      endReading(of: reader)
      reading.append(reader)
      return .reserved
    }
    if isNext, reading.isEmpty {
      endReading(of: reader)
      return .none
    }
    if !waiting.contains(reader) { waiting.append(reader) }
    return .soon
  }

  /// The reader's answer is made, as far as it is before it is sent; or it has given up. What it reserved it releases itself.
  func endReading(of reader: Ticket) {
    reading.removeAll { $0 == reader }
    waiting.removeAll { $0 == reader }
  }
}
