import CellTemplates
import Cells

/// Answers on their way from the handler to the client.
extension CompressorPool {
  /// A body of more bytes is compressed in slices.
  static let pieceBytes = 256 << 10

  /// The answer, compressed if the client takes that and it is worth it, and with its tag.
  ///
  /// Where there is more to do, the answer's work goes on to do it. An answer for whose compressor there is no room in
  /// the budget goes as it is.
  func compress(_ answer: consuming Answer, for head: borrowing RequestHead) -> Answer {
    guard head.codings.prefersGzip else { return answer.tagged(against: head.ifNoneMatch) }
    let rest = answer.rest
    switch rest {
    case .nothing:
      let taken = isWorthwhile(answer, head.codings) ? take() : nil
      guard let compressor = taken else { return answer.tagged(against: head.ifNoneMatch) }
      if answer.body.count > Self.pieceBytes {
        return .unmade(CompressionWork(answer, compressor, of: self, for: head))
      }
      var output = ByteBuffer(capacity: answer.body.count / 4)
      compressor.append(answer.body.bytes, .finish, to: &output)
      give(compressor)
      swap(&answer.body, &output)
      answer.markCompressed()
      return answer.tagged(against: head.ifNoneMatch)
    case .streamed(let work):
      let taken = take()
      guard let compressor = taken else { return answer }
      return CompressionWork(work, of: self, for: head).stream(answer, by: compressor)
    case .unmade(let work):
      return .unmade(CompressionWork(work, of: self, for: head))
    }
  }

  /// A client that refuses an answer as it is gets the smallest compressed.
  func isWorthwhile(_ answer: borrowing Answer, _ codings: AcceptedCodings) -> Bool {
    answer.contentType != nil
      && answer.body.count >= (codings.refusesIdentity ? 1 : settings.minimumBytes)
  }
}

extension Answer {
  mutating func markCompressed() {
    headers.append(("Content-Encoding", "gzip"))
    // It is complete only now.
    madeAt = 0
  }

  /// The answer with its entity tag, if it is to have one: of its body as it is sent. 304 if the client has it.
  /// - Parameter known: the header `If-None-Match`.
  consuming func tagged(against known: String?) -> Answer {
    guard isTagged else { return self }
    isTagged = false
    let tag = EntityTag(ContentHash(of: body.bytes).hex)
    headers.append(("ETag", tag.headerValue))
    if let known, tag.isNamed(inIfNoneMatch: known) {
      // The body stays: its length is that of the 200 it stands for; it is not sent.
      status = 304
    }
    return self
  }
}
