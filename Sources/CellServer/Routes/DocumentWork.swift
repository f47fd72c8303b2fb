import CellTemplates
import Cells

/// An answer with one of an archive's documents. It waits until the document is made. A small document is
/// copied; a large one is streamed from shared memory, so slow clients do not multiply it.
final class DocumentWork: AnswerWork {
  /// Documents up to this size are copied.
  private static let copiedBytes = 64 << 10

  private let documents: ArchiveDocuments
  private let name: ArchiveDocuments.Name
  private let archive: CellArchive
  private let contentType: StaticString
  /// The request's header.
  private let ifNoneMatch: String?
  /// The document being streamed.
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

  /// The answer; nil while the document is being made.
  func answer() -> Answer? {
    guard let document = documents.document(name, of: archive) else { return nil }
    // Compressed and uncompressed answers have the same tag, so it is weak (RFC 9110, section 8.8.1).
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
