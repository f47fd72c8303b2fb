import Cells

/// The bytes in flight of one worker: long heads, bodies, parser memory, and unsent answers.
///
/// Divided so that requests do not starve each other. Large bodies together get at most half, which leaves
/// room to read those that have arrived. The last sixteenth is reserved for small amounts, so that small
/// requests are served whatever large ones hold. A body counts by the bytes received, not by the bytes
/// announced.
///
/// Not `Sendable`: used only on the worker's thread. Whoever reserves or charges bytes must release the same
/// amount.
package final class MemoryBudget {
  /// A body up to this size is charged in full when its head arrives.
  static let smallBodyBytes = 32 << 10
  /// What a streamed answer holds while it is sent: a piece of its body, and the block that libmicrohttpd sends from.
  static let streamPieceBytes = 64 << 10
  static let streamBlockBytes = 32 << 10
  private static let smallestShare = 16
  private static let spareLimitBytes = 64 << 20
  private static let smallLimitBytes = 256 << 10

  package let limitBytes: Int
  /// Decides what happens when there is no room.
  let overload: OverloadPolicy
  /// The bytes reserved for small amounts, and the largest such amount.
  private let spareBytes: Int
  private let smallBytes: Int
  // Exclusivity checks are off for these two, which every request accesses several times: no method calls other code
  // while it accesses one.
  @exclusivity(unchecked) package private(set) var heldBytes = 0
  /// The part of `heldBytes` that belongs to buffers which nobody reads any more, and which are given back after this turn.
  @exclusivity(unchecked) var returningBytes = 0
  /// The event streams, which hold memory although their requests are not in flight any more.
  @exclusivity(unchecked) var eventStreams = 0
  /// The part of `heldBytes` that belongs to large bodies.
  @exclusivity(unchecked) private var bodyBytes = 0
  /// The tickets of requests that read a large body or make its answer, and of those waiting to, in order of
  /// arrival. There are never more than the works made at once.
  private var reading: [Ticket] = []
  private var waiting: [Ticket] = []
  private var tickets = 0
  /// Objects that several requests share.
  private var shared: [ObjectIdentifier: Share] = [:]

  package init(limitBytes: Int, overload: OverloadPolicy = OverloadPolicy()) {
    self.limitBytes = limitBytes
    self.overload = overload
    spareBytes = Self.spareBytes(of: limitBytes)
    smallBytes = min(spareBytes, Self.smallLimitBytes)
  }

  /// Where the worker counts how these bytes are used.
  var statistics: WorkerStatistics { overload.statistics }

  private static func spareBytes(of limitBytes: Int) -> Int {
    min(limitBytes / smallestShare, spareLimitBytes)
  }

  /// The largest body that fits within a limit when nothing else is held.
  package static func largestBytes(within limitBytes: Int) -> Int { limitBytes - spareBytes(of: limitBytes) }

  /// Charges `bytes` if they fit within the limit. Returns false, and charges nothing, if they do not.
  package func reserve(_ bytes: Int) -> Bool {
    guard hasRoom(for: bytes) else { return false }
    heldBytes += bytes
    return true
  }

  /// Whether `bytes` fit within the limit, for a caller that will charge them in the same turn.
  func hasRoom(for bytes: Int) -> Bool {
    makeRoom(for: bytes)
    return couldReserve(bytes, beside: heldBytes)
  }

  /// Gives back discarded memory, which counts as long as it has pages, as far as `bytes` need it.
  private func makeRoom(for bytes: Int) {
    let discardedBytes = DiscardedMemory.bytes
    if discardedBytes == 0 { return }
    let missing = bytes + spareBytes + heldBytes + discardedBytes - limitBytes
    if missing > 0 { DiscardedMemory.drop(missing) }
  }

  /// Whether `bytes` would fit if only `heldBytes` were held. If they do not fit next to the memory of their own
  /// request, they never will.
  func couldReserve(_ bytes: Int, beside heldBytes: Int) -> Bool {
    let room = limitBytes - heldBytes
    return bytes <= (bytes <= smallBytes ? room : room - spareBytes)
  }

  /// The memory of a request. If no other is in flight, and nobody reads events, all that is held is its own: buffers that were
  /// kept may be larger than it knows. So a request that does not fit is not told to try again when nobody could make room.
  /// - Parameter knownBytes: what it knows of.
  func heldBytes(ofRequestHolding knownBytes: Int) -> Int {
    statistics.inFlight == 1 && returningBytes == 0 && eventStreams == 0
      ? max(heldBytes, knownBytes) : knownBytes
  }

  /// Whether there is room to begin a streamed answer whose body exists. Such answers leave the last sixteenth to others; those for
  /// operators leave half of it, so that slow readers of other answers do not keep them out.
  func hasRoomForStream(isForOperators: Bool = false) -> Bool {
    let bytes = Self.streamPieceBytes + Self.streamBlockBytes
    makeRoom(for: bytes)
    return bytes <= limitBytes - (isForOperators ? spareBytes / 2 : spareBytes) - heldBytes
  }

  /// The most bytes that can be charged for one body or one answer when nothing else is held.
  var largestBytes: Int { limitBytes - spareBytes }

  /// Charges memory that is already held, even beyond the limit: a complete answer can only be sent.
  package func charge(_ bytes: Int) { heldBytes += bytes }

  /// The problem for an answer that has no room; counts the refusal.
  package func refuse() -> Problem { overload.refuse(for: .rowMemory) }

  package func release(_ bytes: Int) {
    heldBytes -= bytes
    precondition(heldBytes >= 0, "released more than was charged")
  }

  // MARK: - Shared objects

  private struct Share {
    let bytes: Int
    var holders = 1
  }

  /// Counts `bytes` for an object that several requests may hold, but only for the first holder. Returns false, and
  /// counts nothing, if there is no room.
  /// - Parameter thing: must stay alive until every holder has called `releaseShared`.
  func reserveShared(_ thing: AnyObject, bytes: Int) -> Bool {
    let key = ObjectIdentifier(thing)
    if shared[key] != nil {
      shared[key]?.holders += 1
      return true
    }
    guard reserve(bytes) else { return false }
    shared[key] = Share(bytes: bytes)
    return true
  }

  /// Removes one holder of the object.
  func releaseShared(_ thing: AnyObject) {
    let key = ObjectIdentifier(thing)
    guard var share = shared[key] else { preconditionFailure("released more than was charged") }
    share.holders -= 1
    if share.holders == 0 { release(share.bytes) }
    shared[key] = share.holders == 0 ? nil : share
  }

  // MARK: - Large bodies

  /// Whether a body of `bytes` would currently fit.
  func hasRoom(forBodyOf bytes: Int) -> Bool {
    // A single body may be larger than half.
    (bodyBytes == 0 || bytes <= limitBytes / 2 - bodyBytes) && bytes <= limitBytes - spareBytes - heldBytes
  }

  /// Charges `bytes` more for a large body already charged with `counted`. Returns false, and charges
  /// nothing, if they do not fit.
  func reserveBody(_ bytes: Int, counted: Int) -> Bool {
    makeRoom(for: bytes)
    guard bodyBytes == counted || bytes <= limitBytes / 2 - bodyBytes,
      bytes <= limitBytes - spareBytes - heldBytes
    else { return false }
    heldBytes += bytes
    bodyBytes += bytes
    return true
  }

  /// Releases all or part of what was charged for a large body.
  func releaseBody(_ bytes: Int) {
    bodyBytes -= bytes
    release(bytes)
  }

  // MARK: - Reading large bodies

  /// Identifies a request that reads a large body and makes its answer, or waits to.
  struct Ticket: Equatable {
    fileprivate let number: Int
  }

  /// A new, unique ticket.
  func drawTicket() -> Ticket {
    tickets += 1
    return Ticket(number: tickets)
  }

  /// The result of asking for the memory to read a large body.
  enum Room {
    case reserved
    /// Others are reading or making their answers, and will release their memory, or have done so, and it is being given
    /// back.
    case soon
    case none
  }

  /// Charges the `bytes` that reading a large body may need at most, which is many times what remains of it
  /// afterwards.
  ///
  /// While others read and make their answers, the next one waits for them. It would have to share the
  /// worker's time with them anyway. If there are no others, the memory is held by streams for as long as
  /// their clients take, which is not worth waiting for.
  /// - Parameter reader: must ask again in every turn of the loop while the result is `soon`. After another
  ///   result, or if it gives up, it must call `endReading`.
  func reserveReading(_ bytes: Int, for reader: Ticket) -> Room {
    let isNext = waiting.first.map { $0 == reader } ?? true
    let discardedBytes = DiscardedMemory.bytes
    let isWorthWaiting =
      discardedBytes > 0 && couldReserve(bytes, beside: heldBytes)
      && !couldReserve(bytes, beside: heldBytes + discardedBytes)
    if isNext, !isWorthWaiting, reserve(bytes) {
      endReading(of: reader)
      reading.append(reader)
      return .reserved
    }
    if isNext, reading.isEmpty, !isWorthWaiting {
      endReading(of: reader)
      return .none
    }
    if !waiting.contains(reader) { waiting.append(reader) }
    return .soon
  }

  /// Called when the reader's answer is made up to the point where it is sent, or when it gives up. The
  /// reader itself releases what it reserved.
  func endReading(of reader: Ticket) {
    reading.removeAll { $0 == reader }
    waiting.removeAll { $0 == reader }
  }
}
