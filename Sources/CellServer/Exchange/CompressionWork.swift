import Cells

/// Compresses an answer in slices. The answer may come from another work. A complete answer is compressed
/// before its head is sent; a streamed one, as the client takes it.
///
/// Holds a compressor from the first byte, and the part of the body not yet compressed: up to
/// `RowSettings.completeBytes` of a complete body, or the beginning or a piece of a streamed one. The budget
/// counts both.
final class CompressionWork: AnswerWork {
  /// A streamed body is flushed at least every so many bytes, so that the client can read what was made.
  static let flushBytes = 64 << 10
  /// Bytes compressed between two clock readings. At the highest level they take up to 2 ms.
  private static let bytesPerLook = 8 << 10
  /// Time of a slice, of which the rendering of a streamed body takes another.
  private static let sliceMicroseconds = 1000

  private let pool: CompressorPool
  private let coding: ContentCoding
  /// The codings that the request accepts.
  private let codings: AcceptedCodings
  private let ifNoneMatch: String?
  /// Whether the request is HEAD.
  private let isHead: Bool
  /// Makes the body; nil if the body is complete in `source`.
  private var maker: (any AnswerWork)?
  private var compressor: Compressor?
  /// The complete answer without its body.
  private var complete: Answer?
  /// The bytes to compress; the first `taken` of them are done.
  private var source = ByteBuffer()
  private var taken = 0
  private var progress = BodyProgress.more
  private var unflushedBytes = 0
  private var chargedBytes = 0
  /// The compressed beginning of a complete answer's body.
  private var output = ByteBuffer()

  /// For an answer that `maker` has yet to make.
  init(
    _ maker: any AnswerWork, _ coding: ContentCoding, of pool: CompressorPool, for head: borrowing RequestHead
  ) {
    self.maker = maker
    self.coding = coding
    self.pool = pool
    codings = head.codings
    ifNoneMatch = head.ifNoneMatch
    isHead = head.method == .head
  }

  /// For a complete answer.
  init(
    _ answer: consuming Answer, _ compressor: Compressor, of pool: CompressorPool,
    for head: borrowing RequestHead
  ) {
    coding = compressor.coding
    self.pool = pool
    codings = head.codings
    ifNoneMatch = head.ifNoneMatch
    isHead = head.method == .head
    begin(answer, compressor)
  }

  /// Whether the answer has yet to be made; a complete one is always sent.
  var mayBeGivenUp: Bool { maker != nil }

  var isWaiting: Bool { maker?.isWaiting ?? false }

  private func begin(_ answer: consuming Answer, _ compressor: Compressor) {
    self.compressor = compressor
    swap(&source, &answer.body)
    progress = .complete
    complete = consume answer
    charge()
  }

  /// Turns a streamed answer into one whose body `write` compresses, after taking over the bytes made so far.
  func stream(_ answer: consuming Answer, by compressor: Compressor) -> Answer {
    self.compressor = compressor
    swap(&source, &answer.body)
    charge()
    answer.markCompressed(as: coding)
    answer.streamedBytes = nil
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
    answer.markCompressed(as: coding)
    return answer.tagged(against: ifNoneMatch)
  }

  /// Takes what the maker returned. Returns nil if there is more to do before the head is sent.
  private func goOn(with answer: consuming Answer) -> Answer? {
    let rest = answer.rest
    switch rest {
    case .unmade(let next):
      maker = next
      return nil
    case .events:
      maker = nil
      return answer
    case .streamed(let next):
      maker = nil
      guard CompressorPool.isSent(answer) else { return answer.withoutLength() }
      guard !isHead, let compressor = pool.take(coding) else { return answer }
      maker = next
      return stream(answer, by: compressor)
    case .nothing:
      endMaker()
      let compressor = pool.isWorthwhile(answer, codings) ? pool.take(coding) : nil
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

  /// Compresses the next part of `source`. Returns true at its end.
  private func compress(into output: inout ByteBuffer, sharers: Int) -> Bool {
    guard let compressor else { preconditionFailure("a compressor is taken before the first byte") }
    var slice = Slice(microseconds: Self.sliceMicroseconds, sharers: sharers, outputBytes: 0)
    while true {
      let end = min(taken + Self.bytesPerLook, source.count)
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
      if isEnd || slice.isOver() { return isEnd }
    }
  }

  /// Charges for the memory held now, even beyond the limit, because it is already allocated.
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
