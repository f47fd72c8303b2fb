import Cells

/// One request and its answer as a state machine without I/O: request line, head, body, answer.
///
/// Driven by a connection or, in process, by a test. Everything it holds is counted in the worker's budget;
/// `end` releases all of it, in any state.
struct Exchange: ~Copyable {
  enum Phase: Equatable {
    /// No request line has been received.
    case waiting
    /// The request line has been received, the head has not.
    case head
    case body
    /// The body is complete and the answer is being made.
    case working
    /// The answer, or at least its head, has been made.
    case answered
  }

  /// Why a body was not kept. The answer is sent after the end of the body, so that the connection can be
  /// reused.
  private enum Refusal {
    case bodyTooLarge
    /// The body would not fit even if nothing else were held.
    case neverFits
    case overloaded(OverloadPolicy.Shortage)
    /// The method takes no body.
    case unexpectedBody
  }

  private(set) var phase = Phase.waiting
  /// What the request asks for, as far as the handler has determined it.
  private(set) var subject = RequestSubject.unrouted
  /// Whether pages of every origin may read the answer, also if a work makes it.
  private var isPublic = false
  private var guarding: RequestGuard
  /// What was reserved for the head.
  private var headBytes = 0
  private var framing = RequestGuard.Framing.none
  private var body: HeldBuffer?
  private var refusal: Refusal?
  /// What makes the rest of the answer. It reads the body, which is kept as long. A work that is replaced by
  /// another is not ended.
  private var work: (any AnswerWork)?
  /// The hash of the archive when the request began, if the answer is made in slices. The factory may have
  /// adopted another archive since.
  private var begunHash: String?
  private let settings: ServerSettings
  private let budget: MemoryBudget
  private let pool: BufferPool

  init(settings: ServerSettings, budget: MemoryBudget, pool: BufferPool) {
    guarding = RequestGuard(
      optional: OptionalFields(
        origins: settings.origins, readsCodings: settings.compression != nil,
        readsTrace: settings.onRequest != nil, readsOrigin: settings.servesPages))
    self.settings = settings
    self.budget = budget
    self.pool = pool
  }

  /// The head as far as it has been read. Borrowed, because a copy would retain every string in it.
  var head: RequestHead {
    _read { yield guarding.head }
  }

  /// The request and its answer for the log. The trace is read only if requests are logged.
  func record(status: Int, bytes: Int, microseconds: Int) -> RequestRecord {
    RequestRecord(
      method: guarding.head.method.name, path: guarding.head.path, status: status, bytes: bytes,
      microseconds: microseconds, requestID: guarding.head.requestID, trace: guarding.trace)
  }

  /// Whether the client accepts chunks and so can tell whether a body of unknown length is complete.
  var takesChunks: Bool { guarding.isVersion11 }

  /// Whether the answer is sent without its body.
  var isHead: Bool { if case .head = guarding.head.method { true } else { false } }

  /// Memory of the connection used for the head in addition to its bytes, and for trailer fields.
  var memoryBesideHead: Int { guarding.memoryBesideHead }

  /// Whether the body is chunked, so that trailer fields may follow it.
  var isChunked: Bool { framing == .chunked }

  /// Whether the connection closes after the answer. libmicrohttpd treats a trailer line that starts with a
  /// NUL as the end of the request, so after a chunked body it is not certain that the next bytes are a new
  /// request.
  var endsConnection: Bool { isChunked }

  /// Whether the request has a body.
  var expectsBody: Bool { framing != .none }

  /// Takes the target of the request line, as sent.
  /// - Parameter isHead: whether the method is HEAD; false if it is not known yet. `receiveHead` gets it in any case, but a
  ///   request may be refused before.
  mutating func begin(target: UnsafeRawBufferPointer, isHead: Bool = false) {
    end()
    subject = .unrouted
    isPublic = false
    // Without room, the request is refused when its head has been checked, and the target is not even copied.
    guarding.begin(target: target, isHead: isHead, isKept: reserveHead(target.count))
    phase = .head
  }

  /// Takes the head, which `feed` passes to the guard.
  ///
  /// Throws the reason if the request is refused before its body; the connection must then be closed.
  mutating func receiveHead(ids: inout RequestIDs, feed: (inout RequestGuard) -> Void) throws(Problem) {
    precondition(phase == .head)
    phase = .body
    feed(&guarding)
    guarding.identify(by: &ids)
    framing = try guarding.finish(
      headLimitBytes: settings.headLimitBytes, bodyLimitBytes: settings.bodyLimitBytes)
    guard refusal == nil else { return }
    // Adding up the texts of every head would cost each request a percent.
    if guarding.headBytes > Self.usualHeadBytes, !reserveHead(guarding.head.keptBytes) { return }
    guard guarding.head.method == .post else { return }
    guard case .length(let count) = framing else { return }
    if headBytes + count > budget.largestBytes {
      throw .neverFits(neededBytes: headBytes + count, limitBytes: budget.limitBytes)
    }
    if count > MemoryBudget.smallBodyBytes {
      if !budget.hasRoom(forBodyOf: count) { refusal = .overloaded(.bodyMemory) }
    } else {
      let held = pool.takeForBody(of: count)
      let bytes = max(count, held.buffer.capacity)
      if budget.reserve(bytes) {
        held.chargedBytes = bytes
        held.buffer.reserveExactly(count)
        body = held
      } else {
        pool.give(held)
        refusal = .overloaded(.bodyMemory)
      }
    }
  }

  /// Counts the texts of a head, if they are longer than those of usual requests. Shorter ones are part of what each connection
  /// may have.
  /// - Returns: whether there is room. Without, the request is refused.
  private mutating func reserveHead(_ bytes: Int) -> Bool {
    guard bytes > Self.usualHeadBytes, bytes > headBytes else { return true }
    guard budget.reserve(bytes - headBytes) else {
      refusal = .overloaded(.bodyMemory)
      return false
    }
    headBytes = bytes
    return true
  }

  /// Forgets a head that is longer than usual, and that nobody reads after its request. Others are kept: the next request of the
  /// connection usually has the same target.
  mutating func forgetLongHead() {
    if guarding.headBytes > Self.usualHeadBytes { guarding.forgetHead() }
  }

  private static let usualHeadBytes = 2 << 10

  /// Takes the trailer fields, which `feed` passes to the guard. They are checked and discarded.
  ///
  /// Throws the reason if the request is refused.
  mutating func receiveTrailers(feed: (inout RequestGuard) -> Void) throws(Problem) {
    precondition(phase == .body)
    feed(&guarding)
    try guarding.finishTrailers(headLimitBytes: settings.headLimitBytes)
  }

  /// Whether the body is discarded because the request is refused.
  var isRefused: Bool { refusal != nil }

  /// The body's length from `Content-Length`; 0 without one.
  var announcedBytes: Int { announcedCount ?? 0 }

  private var announcedCount: Int? { if case .length(let count) = framing { count } else { nil } }

  /// The shortage because of which the body is discarded, if that is the reason.
  var shortage: OverloadPolicy.Shortage? {
    if case .overloaded(let shortage)? = refusal { return shortage }
    return nil
  }

  /// Refuses the request because the server is overloaded. The body is discarded.
  mutating func refuse(for shortage: OverloadPolicy.Shortage) { refuse(.overloaded(shortage)) }

  /// Whether the answer may still be refused because of overload.
  var mayGiveUp: Bool { work?.mayBeGivenUp ?? false }

  /// Whether the answer waits for something that another thread makes.
  var isWaiting: Bool { work?.isWaiting ?? false }

  /// Gives up the work on the answer.
  /// - Returns: the answer to send instead.
  mutating func giveUp(for shortage: OverloadPolicy.Shortage) -> Answer {
    precondition(phase == .working)
    endWork()
    phase = .answered
    return Answer(problem: budget.overload.refuse(for: shortage))
  }

  /// Takes the next piece of the body. Only POST bodies are kept; others are read and discarded, and a body of GET or HEAD
  /// refuses the request.
  mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) {
    precondition(phase == .body)
    let method = guarding.head.method
    if method == .get || method == .head, !bytes.isEmpty { refusal = .unexpectedBody }
    guard method == .post, refusal == nil else { return }
    if body == nil { body = pool.takeForBody(of: announcedBytes) }
    guard let held = body else { return }
    let count = held.buffer.count + bytes.count
    if count > settings.bodyLimitBytes {
      refuse(.bodyTooLarge)
    } else if headBytes + count > budget.largestBytes {
      refuse(.neverFits)
    } else if !held.makeRoom(for: count, announced: announcedCount, in: budget) {
      budget.overload.note(.bodyMemory)
      refuse(.overloaded(.bodyMemory))
    } else {
      held.buffer.append(bytes)
    }
  }

  /// Discards the body, including the part already received.
  private mutating func refuse(_ reason: Refusal) {
    refusal = reason
    giveBodyBack()
  }

  /// The hash of the archive when the request began. A request begins when the handler is first called,
  /// because nothing reads the archive before that.
  func archiveHash(in factory: isolated CellFactory) -> String { begunHash ?? factory.archiveHash }

  /// Makes the answer when the body is complete. The body is released as soon as nothing reads it any more.
  /// - Returns: nil if the answer takes longer; `work` must then be called until it returns one.
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
    case .unexpectedBody:
      let method = guarding.head.method.name
      return refusal(
        ofContent: Problem(.badRequest, detail: "\(method) takes no body; send rows with POST"))
    case nil:
      let held = body ?? pool.takeForBody(of: 0)
      body = held
      held.releaseSurplus(in: budget)
      let answer = handler.answer(
        guarding.head, body: &held.buffer, output: output, budget: budget, factory: factory)
      if let subject = answer.subject { self.subject = subject }
      isPublic = answer.isPublic
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

  /// Does one slice of work on the answer. Returns nil if there is more to do.
  /// - Parameter sharers: the number of works with a slice in the same turn of the loop.
  mutating func work(sharers: Int, factory: isolated CellFactory) -> Answer? {
    precondition(phase == .working)
    guard let work, let held = body,
      let answer = work.advance(over: &held.buffer, sharers: sharers, factory: factory)
    else { return nil }
    return settle(answer.isTagged ? answer.tagged(against: guarding.head.ifNoneMatch) : answer)
  }

  /// Appends the next piece of a streamed body to `output`, about `bytes` bytes.
  mutating func write(
    into output: inout ByteBuffer, bytes: Int, sharers: Int, factory: isolated CellFactory
  ) -> BodyProgress {
    guard let work, let held = body else { return .broken }
    return work.write(
      into: &output, bytes: bytes, over: &held.buffer, sharers: sharers, factory: factory)
  }

  /// Whether work on the answer remains.
  var hasWork: Bool { work != nil }

  private mutating func settle(_ answer: consuming Answer) -> Answer? {
    if isPublic { answer.isPublic = true }
    switch answer.rest {
    case .nothing:
      endWork()
      phase = .answered
      return answer
    case .streamed(let work), .events(let work):
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

  /// Ends the exchange and releases what it holds. The head stays readable until the next request begins.
  mutating func end() {
    phase = .waiting
    framing = .none
    refusal = nil
    if begunHash != nil { begunHash = nil }
    if headBytes > 0 {
      budget.release(headBytes)
      headBytes = 0
    }
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
