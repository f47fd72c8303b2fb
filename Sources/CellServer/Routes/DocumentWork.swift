import CellTemplates
import Cells

/// The answer that is one of an archive's documents: waits until it is made. A small one is copied, a large one sent from
/// where it lies, piece by piece: however many clients take their time, it is there once.
final class DocumentWork: AnswerWork {
  /// A document of no more bytes is copied.
  private static let copiedBytes = 64 << 10

  private let documents: ArchiveDocuments
  private let name: ArchiveDocuments.Name
  private let archive: CellArchive
  private let contentType: StaticString
  /// Of the request.
  private let ifNoneMatch: String?
  /// Once it is streamed, and how much of it has been.
  private var document: ArchiveDocuments.Document?
  private var writtenBytes = 0

  init(
    _ name: ArchiveDocuments.Name, of archive: CellArchive, in documents: ArchiveDocuments,
    as contentType: StaticString, for head: borrowing RequestHead
  ) {
    self.name = name
    self.archive = archive
    self.documents = documents
    self.contentType = contentType
    ifNoneMatch = head.ifNoneMatch
  }

  /// The answer; nil: the document is being made.
  func answer() -> Answer? {
    guard let document = documents.document(name, of: archive) else { return nil }
    // Sent in other codings it has the same tag, so that is a weak one (RFC 9110, section 8.8.1).
    let tag = EntityTag(document.hash)
    let headers: [Answer.Header] = [("ETag", "W/" + tag.headerValue)]
    var answer = Answer(status: 200, contentType: contentType, headers: headers)
    let isKnown = ifNoneMatch.map { tag.isNamed(inIfNoneMatch: $0) } ?? false
    if isKnown { answer.status = 304 }
    // The body of a 304 is not sent, but its length is.
    if isKnown || document.bytes.count <= Self.copiedBytes {
      answer.body.append(document.bytes)
      return answer
    }
    self.document = document
    answer.rest = .streamed(self)
    return answer
  }

  func advance(over _: inout ByteBuffer, sharers _: Int, factory _: isolated CellFactory) -> Answer? {
    answer()
  }

  func write(
    into output: inout ByteBuffer, bytes: Int, over _: inout ByteBuffer, sharers _: Int,
    factory _: isolated CellFactory
  ) -> BodyProgress {
    guard let document else { preconditionFailure("a document that is not made is not sent") }
    let end = min(writtenBytes + bytes, document.bytes.count)
    document.bytes.withUnsafeBytes { output.append(UnsafeRawBufferPointer(rebasing: $0[writtenBytes..<end])) }
    writtenBytes = end
    return end == document.bytes.count ? .complete : .more
  }

  func end() { document = nil }
}
