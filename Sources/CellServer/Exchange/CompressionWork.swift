import Cells

/// An answer that is compressed a slice at a time: behind the work that makes it, if one does; then, complete, before its
/// head is sent, or as the client takes it.
///
/// It holds a compressor from the first byte on, and what of the body is made and not yet compressed: a complete body of
/// up to `completeBytes`, or of a streamed one the beginning, later a piece. Both are counted in the budget.
final class CompressionWork: AnswerWork {
  /// Of a streamed body the client can read all but the last so many bytes that were made.
  static let flushBytes = 64 << 10
  /// A slice is never smaller, however many share a turn.
  private static let leastBytes = 32 << 10

  private let pool: CompressorPool
  /// Of the request.
  private let codings: AcceptedCodings
  private let ifNoneMatch: String?
  /// What makes the body; nil: it is complete, in `source`.
  private var maker: (any AnswerWork)?
  private var compressor: Compressor?
  /// The complete answer, without its body.
  private var complete: Answer?
  /// What is to be compressed, the first `taken` bytes of it already.
  private var source = ByteBuffer()
  private var taken = 0
  private var progress = BodyProgress.more
  private var unflushedBytes = 0
  private var chargedBytes = 0
  /// The beginning of the complete answer's body.
  private var output = ByteBuffer()

  /// The answer is still to be made.
  init(_ maker: any AnswerWork, of pool: CompressorPool, for head: borrowing RequestHead) {
    self.maker = maker
    self.pool = pool
    codings = head.codings
    ifNoneMatch = head.ifNoneMatch
  }

  /// The answer is complete.
  init(
    _ answer: consuming Answer, _ compressor: Compressor, of pool: CompressorPool,
    for head: borrowing RequestHead
  ) {
    self.pool = pool
    codings = head.codings
    ifNoneMatch = head.ifNoneMatch
    begin(answer, compressor)
  }

  /// A complete answer is to be sent.
  var mayBeGivenUp: Bool { maker != nil }

  private func begin(_ answer: consuming Answer, _ compressor: Compressor) {
    self.compressor = compressor
    swap(&source, &answer.body)
    progress = .complete
    complete = consume answer
    charge()
  }

  /// The answer that goes on as its work writes, this one behind the other. All of its body is left to `write`.
  func stream(_ answer: consuming Answer, by compressor: Compressor) -> Answer {
    self.compressor = compressor
    swap(&source, &answer.body)
    charge()
    answer.markCompressed()
    answer.rest = .streamed(self)
    return answer
  }

  func advance(over body: inout ByteBuffer, sharers: Int, factory: isolated CellFactory) -> Answer? {
    if let maker {
      guard let made = maker.advance(over: &body, sharers: sharers, factory: factory),
        let answer = goOn(with: made)
      else { return nil }
      return answer
    }
    let isEnd = compress(into: &output, sharers: sharers)
    charge()
    guard isEnd, var answer = complete.take() else { return nil }
    swap(&answer.body, &output)
    answer.markCompressed()
    return answer.tagged(against: ifNoneMatch)
  }

  /// Takes what the maker has made; nil: there is more to do before the head is sent.
  private func goOn(with answer: consuming Answer) -> Answer? {
    let rest = answer.rest
    switch rest {
    case .unmade(let next):
      maker = next
      return nil
    case .streamed(let next):
      let compressor = pool.take()
      maker = compressor == nil ? nil : next
      if let compressor { return stream(answer, by: compressor) }
      return answer
    case .nothing:
      endMaker()
      let compressor = pool.isWorthwhile(answer, codings) ? pool.take() : nil
      if let compressor {
        begin(answer, compressor)
        return nil
      }
      return answer.tagged(against: ifNoneMatch)
    }
  }

  func write(
    into output: inout ByteBuffer, bytes: Int, over body: inout ByteBuffer, sharers: Int,
    factory: isolated CellFactory
  ) -> BodyProgress {
    if taken == source.count, let maker {
      source.reset(keptCapacity: BufferPool.keptPieceBytes)
      taken = 0
      progress = maker.write(into: &source, bytes: bytes, over: &body, sharers: sharers, factory: factory)
      charge()
    }
    return compress(into: &output, sharers: sharers) ? progress : .more
  }

  /// Compresses the next piece of the source. True: there is no more of it.
  private func compress(into output: inout ByteBuffer, sharers: Int) -> Bool {
    guard let compressor else { preconditionFailure("a compressor is taken before the first byte") }
    let length = max(CompressorPool.pieceBytes / max(sharers, 1), Self.leastBytes)
    let end = min(taken + length, source.count)
    let isEnd = end == source.count
    unflushedBytes += end - taken
    var flush = Compressor.Flush.none
    if isEnd && progress == .complete {
      flush = .finish
    } else if complete == nil && unflushedBytes > 0
      && (unflushedBytes >= Self.flushBytes || progress == .broken)
    {
      flush = .sync
      unflushedBytes = 0
    }
    compressor.append(UnsafeRawBufferPointer(rebasing: source.bytes[taken..<end]), flush, to: &output)
    taken = end
    return isEnd
  }

  /// Counts what both ends hold now, over the limit if need be: it is there.
  private func charge() {
    let heldBytes = source.capacity + output.capacity
    pool.budget.charge(heldBytes)
    pool.budget.release(chargedBytes)
    chargedBytes = heldBytes
  }

  private func endMaker() {
    if let maker = maker.take() { maker.end() }
  }

  func end() {
    endMaker()
    if let compressor = compressor.take() { pool.give(compressor) }
    source = ByteBuffer()
    pool.budget.release(chargedBytes)
    chargedBytes = 0
  }
}
