import CellTemplates
import Cells

/// Compresses answers between the handler and the sender.
extension CompressorPool {
  /// Longer bodies are compressed in slices.
  static let directBytes = 32 << 10

  /// The answer with its entity tag, compressed if the client accepts that and it is worthwhile.
  ///
  /// If that takes longer, the answer's work continues it. Without room in the budget for a compressor, the
  /// answer stays uncompressed.
  func compress(_ answer: consuming Answer, for head: borrowing RequestHead) -> Answer {
    guard let coding = head.codings.preferred, answer.isCompressible else {
      return answer.tagged(against: head.ifNoneMatch)
    }
    let rest = answer.rest
    switch rest {
    case .nothing:
      let taken = isWorthwhile(answer, head.codings) ? take(coding) : nil
      guard let compressor = taken else { return answer.tagged(against: head.ifNoneMatch) }
      if answer.body.count > Self.directBytes {
        return .unmade(CompressionWork(answer, compressor, of: self, for: head))
      }
      var output = ByteBuffer(capacity: answer.body.count / 4)
      compressor.append(answer.body.bytes, .finish, to: &output)
      give(compressor)
      swap(&answer.body, &output)
      answer.markCompressed(as: coding)
      return answer.tagged(against: head.ifNoneMatch)
    case .streamed(let work):
      guard Self.isSent(answer) else { return answer.withoutLength() }
      // libmicrohttpd would end the chunked body of an answer to HEAD, which has none.
      guard head.method != .head, let compressor = take(coding) else { return answer }
      return CompressionWork(work, coding, of: self, for: head).stream(answer, by: compressor)
    case .events: return answer
    case .unmade(let work):
      return .unmade(CompressionWork(work, coding, of: self, for: head))
    }
  }

  /// Whether the body of a streamed answer is sent at all.
  static func isSent(_ answer: borrowing Answer) -> Bool { answer.status != 304 }

  /// Whether to compress the answer. For a client that refuses identity, even the smallest body is
  /// compressed.
  func isWorthwhile(_ answer: borrowing Answer, _ codings: AcceptedCodings) -> Bool {
    answer.contentType != nil
      && answer.body.count >= (codings.refusesIdentity ? 1 : settings.minimumBytes)
  }
}

extension Answer {
  /// A 304 for a body that would be compressed: that length is not known, and no other may be sent (RFC 9110, section 8.6).
  /// libmicrohttpd sends no answer that lacks one on a connection that stays open.
  consuming func withoutLength() -> Answer {
    streamedBytes = nil
    closesConnection = true
    return self
  }

  mutating func markCompressed(as coding: ContentCoding) {
    headers.append(("Content-Encoding", coding.name))
    // Compression has only now completed the answer.
    madeAt = 0
  }
}
