import Cells

/// One request and its answer, as a state machine without I/O: request line, head, body, answer.
///
/// The same is driven by a connection and, in process, by a test. Whatever it holds is counted against the
/// worker's budget; `end` gives all of it back, wherever the exchange stands.
struct Exchange: ~Copyable {
  enum Phase: Equatable {
    /// No request line yet.
    case waiting
    /// Its line is there, its head not yet.
    case head
    case body
    /// The body has ended, and the answer is being made.
    case working
    /// The answer is made, or at least its head.
    case answered
  }

  /// Why a body that could not be kept is answered so after its end, when the connection can still be used
  /// for it.
  private enum Refusal {
    case bodyTooLarge
    /// It could not be held if nothing else were.
    case neverFits
    case overloaded(OverloadPolicy.Shortage)
  }

  private(set) var phase = Phase.waiting
  /// What the request asks for, as far as the handler has found out.
  private(set) var subject = RequestSubject.unrouted
  private var guarding: RequestGuard
  private var framing = RequestGuard.Framing.none
  private var body: HeldBuffer?
  private var refusal: Refusal?
  /// What is still to be done for the answer. It reads the body, which is held as long. One that hands over to another
  /// is not ended.
  private var work: (any AnswerWork)?
  /// The hash of the archive that the request began with, where its answer was not made in one go: the factory may have
  /// adopted another in the meantime.
  private var begunHash: String?
  private let settings: ServerSettings
  private let budget: MemoryBudget
  private let pool: BufferPool

  init(settings: ServerSettings, budget: MemoryBudget, pool: BufferPool) {
    guarding = RequestGuard(
      optional: OptionalFields(
        origins: settings.origins, readsCodings: settings.compression != nil,
        readsTrace: settings.onRequest != nil))
    self.settings = settings
    self.budget = budget
    self.pool = pool
  }

  /// As far as it has been read. Lent: each copy would count a reference for every text in it.
  var head: RequestHead {
    _read { yield guarding.head }
  }

  /// The request and its answer, as a log tells them. The trace is read only if requests are reported.
  func record(status: Int, bytes: Int, microseconds: Int) -> RequestRecord {
    RequestRecord(
      method: guarding.head.method.name, path: guarding.head.path, status: status, bytes: bytes,
      microseconds: microseconds, requestID: guarding.head.requestID, trace: guarding.trace)
  }

  /// Whether the client can tell the end of a body of unknown length from its breaking off.
  var takesChunks: Bool { guarding.isVersion11 }

  /// Whether the answer's body is not sent.
  var isHead: Bool { if case .head = guarding.head.method { true } else { false } }

  /// What is taken of the connection's memory for its head, beside the head's own bytes, and for fields behind its body.
  var memoryBesideHead: Int { guarding.memoryBesideHead }

  /// Whether its body comes in chunks, behind which fields may stand.
  var isChunked: Bool { framing == .chunked }

  /// Whether the connection ends with the answer. libmicrohttpd takes a trailer line that begins with a NUL for the end of
  /// the request, so after a chunked body nobody knows whether the next bytes are the client's next request.
  var endsConnection: Bool { isChunked }

  /// Whether a body is on its way.
  var expectsBody: Bool { framing != .none }

  /// Takes the request line's target, as sent.
  mutating func begin(target: UnsafeRawBufferPointer) {
    end()
    subject = .unrouted
    guarding.begin(target: target)
    phase = .head
  }

  /// Takes the head: `feed` hands it to the guard.
  ///
  /// Throws why the request is refused at once, before its body. The connection is of no further use then.
  mutating func receiveHead(ids: inout RequestIDs, feed: (inout RequestGuard) -> Void) throws(Problem) {
    precondition(phase == .head)
    phase = .body
    feed(&guarding)
    guarding.identify(by: &ids)
    framing = try guarding.finish(
      headLimitBytes: settings.headLimitBytes, bodyLimitBytes: settings.bodyLimitBytes)
    guard guarding.head.method == .post else { return }
    guard case .length(let count) = framing else { return }
    if count > budget.largestBytes {
      throw .neverFits(neededBytes: count, limitBytes: budget.limitBytes)
    }
    if count > MemoryBudget.smallBodyBytes {
      if !budget.hasRoom(forBodyOf: count) { refusal = .overloaded(.bodyMemory) }
    } else if budget.reserve(count) {
      let held = pool.take()
      held.chargedBytes = count
      held.buffer.reserveExactly(count)
      body = held
    } else {
      refusal = .overloaded(.bodyMemory)
    }
  }

  /// Takes the fields behind the body: `feed` hands them to the guard. They are judged, and forgotten.
  ///
  /// Throws why the request is refused.
  mutating func receiveTrailers(feed: (inout RequestGuard) -> Void) throws(Problem) {
    precondition(phase == .body)
    feed(&guarding)
    try guarding.finishTrailers(headLimitBytes: settings.headLimitBytes)
  }

  /// Whether the body will not be kept, and the answer says so.
  var isRefused: Bool { refusal != nil }

  /// The length of the body as its head tells it; 0 where it does not.
  var announcedBytes: Int {
    if case .length(let count) = framing { return count }
    return 0
  }

  /// What there was not enough of for the body, if that is why it will not be kept.
  var shortage: OverloadPolicy.Shortage? {
    if case .overloaded(let shortage)? = refusal { return shortage }
    return nil
  }

  /// Refuses the request because the server has too much to do: what comes of its body is forgotten.
  mutating func refuse(for shortage: OverloadPolicy.Shortage) { refuse(.overloaded(shortage)) }

  /// Whether its answer may still be refused for want of room.
  var mayGiveUp: Bool { work?.mayBeGivenUp ?? false }

  /// Gives up the work that its answer would take.
  mutating func giveUp() -> Answer {
    precondition(phase == .working)
    endWork()
    phase = .answered
    return Answer(problem: budget.overload.refuse(for: .works))
  }

  /// Takes the next piece of the body. Only POST has one that means something; others are read and forgotten.
  mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) {
    precondition(phase == .body)
    guard guarding.head.method == .post, refusal == nil else { return }
    if body == nil { body = pool.take() }
    guard let held = body else { return }
    let count = held.buffer.count + bytes.count
    if count > settings.bodyLimitBytes {
      refuse(.bodyTooLarge)
    } else if count > budget.largestBytes {
      refuse(.neverFits)
    } else if !reserve(count, for: held) {
      budget.overload.note(.bodyMemory)
      refuse(.overloaded(.bodyMemory))
    } else {
      held.buffer.append(bytes)
    }
  }

  /// Counts what a body grows to, and then lets it: by doubling, no further than was announced, or by what has come if
  /// there is no room for more.
  private func reserve(_ count: Int, for held: HeldBuffer) -> Bool {
    guard count > held.chargedBytes else { return true }
    var wanted = max(count, 2 * held.chargedBytes)
    if case .length(let announced) = framing { wanted = min(wanted, announced) }
    return grow(held, to: wanted) || (wanted > count && grow(held, to: count))
  }

  private func grow(_ held: HeldBuffer, to wanted: Int) -> Bool {
    let added = wanted - held.chargedBytes
    if wanted <= MemoryBudget.smallBodyBytes {
      guard budget.reserve(added) else { return false }
    } else if held.isLargeBody {
      guard budget.reserveBody(added, counted: held.chargedBytes) else { return false }
    } else {
      // It has become large.
      guard budget.reserveBody(wanted, counted: 0) else { return false }
      budget.release(held.chargedBytes)
      held.isLargeBody = true
    }
    held.chargedBytes = wanted
    held.buffer.reserveExactly(wanted)
    return true
  }

  /// Gives back what was counted for more of a body than came. Nothing is there yet: such memory is the system's until it
  /// is written to.
  private func countWhatCame(in held: HeldBuffer) {
    guard held.isLargeBody, held.chargedBytes > held.buffer.count else { return }
    budget.releaseBody(held.chargedBytes - held.buffer.count)
    held.chargedBytes = held.buffer.count
  }

  /// The rest of the body will not be kept, nor is what came before.
  private mutating func refuse(_ reason: Refusal) {
    refusal = reason
    giveBodyBack()
  }

  /// The hash of the archive that the request began with. It begins where the handler is first called: nothing of an
  /// archive is asked for before.
  func archiveHash(in factory: isolated CellFactory) -> String { begunHash ?? factory.archiveHash }

  /// Makes the answer when the body has ended; the body is given back as soon as nobody reads it any more.
  /// - Returns: nil: the answer takes longer, and `work` is to be called until there is one.
  mutating func answer(
    by handler: any RequestHandler, output: consuming ByteBuffer, factory: isolated CellFactory
  ) -> Answer? {
    precondition(phase == .body)
    phase = .answered
    switch refusal {
    case .bodyTooLarge:
      return refusal(ofContent: RequestGuard.bodyTooLarge(limitBytes: settings.bodyLimitBytes))
    case .neverFits:
      return refusal(
        ofContent: .neverFits(neededBytes: budget.largestBytes + 1, limitBytes: budget.limitBytes))
    case .overloaded(let shortage):
      return Answer(problem: shortage.problem)
    case nil:
      let held = body ?? pool.take()
      body = held
      countWhatCame(in: held)
      let answer = handler.answer(
        guarding.head, body: &held.buffer, output: output, budget: budget, factory: factory)
      if let subject = answer.subject { self.subject = subject }
      let made =
        if let compressors = pool.compressors {
          compressors.compress(answer, for: guarding.head)
        } else {
          answer.isTagged ? answer.tagged(against: guarding.head.ifNoneMatch) : answer
        }
      if case .unmade = made.rest { begunHash = factory.archiveHash }
      return settle(made)
    }
  }

  /// Goes on for a slice with an answer that was not made in one go; nil: there is still more to do.
  /// - Parameter sharers: works that have a slice in the same turn of the loop.
  mutating func work(sharers: Int, factory: isolated CellFactory) -> Answer? {
    precondition(phase == .working)
    guard let work, let held = body,
      let answer = work.advance(over: &held.buffer, sharers: sharers, factory: factory)
    else { return nil }
    return settle(answer.isTagged ? answer.tagged(against: guarding.head.ifNoneMatch) : answer)
  }

  /// Appends the next piece of a streamed answer's body to `output`, about `bytes`.
  mutating func write(
    into output: inout ByteBuffer, bytes: Int, sharers: Int, factory: isolated CellFactory
  ) -> BodyProgress {
    guard let work, let held = body else { return .broken }
    return work.write(
      into: &output, bytes: bytes, over: &held.buffer, sharers: sharers, factory: factory)
  }

  /// Whether more is still to be done for the answer.
  var hasWork: Bool { work != nil }

  private mutating func settle(_ answer: consuming Answer) -> Answer? {
    switch answer.rest {
    case .nothing:
      endWork()
      phase = .answered
      return answer
    case .streamed(let work):
      self.work = work
      phase = .answered
      return answer
    case .unmade(let work):
      self.work = work
      phase = .working
      return nil
    }
  }

  private func refusal(ofContent problem: Problem) -> Answer {
    budget.overload.note(refusedContent: problem)
    return Answer(problem: problem, closesConnection: true)
  }

  /// The answer to a request whose head was refused.
  mutating func refusal(for problem: Problem) -> Answer {
    phase = .answered
    return Answer(problem: problem, closesConnection: true)
  }

  /// Ends the exchange and gives back what it holds. The head stays readable until the next one begins.
  mutating func end() {
    phase = .waiting
    framing = .none
    refusal = nil
    if begunHash != nil { begunHash = nil }
    endWork()
  }

  private mutating func endWork() {
    if let work = work.take() { work.end() }
    giveBodyBack()
  }

  private mutating func giveBodyBack() {
    if let held = body.take() { pool.give(held) }
  }
}
