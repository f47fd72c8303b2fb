import CellTemplates
import Cells

/// An answer with one of an archive's documents. It waits until the document is made. A small document is copied. A
/// large one is streamed from shared memory, which counts once in the worker's budget, so slow clients do not multiply
/// it. An answer without a body needs only the document's length and hash.
final class DocumentWork: AnswerWork {
  /// Documents up to this size are copied.
  private static let copiedBytes = 64 << 10

  private let documents: ArchiveDocuments
  private let name: ArchiveDocuments.Name
  private let archive: CellArchive
  /// What is known of the archive's documents, from the first question on.
  private var edition: DocumentEdition?
  private let contentType: StaticString
  private let budget: MemoryBudget
  /// The request's header.
  private let ifNoneMatch: String?
  private let isHead: Bool
  /// Whether the client takes compressed answers.
  private let takesCodings: Bool
  /// Whether the client has the document.
  private var isKnown = false
  /// The value of `Cache-Control`, if there is one.
  private let cacheControl: String?
  /// The document, once it is borrowed and counted in the budget.
  private var document: ArchiveDocument?
  /// The bytes being streamed; nil if the body is not sent.
  private var content: SharedBuffer?
  private var writtenBytes = 0

  /// Takes apart what the few endpoints with documents say; a type for that would repeat the properties.
  init(
    _ name: ArchiveDocuments.Name, of archive: CellArchive, in documents: ArchiveDocuments,
    as contentType: StaticString, cacheControl: String? = nil, budget: MemoryBudget,
    for head: borrowing RequestHead
  ) {
    self.name = name
    self.archive = archive
    self.documents = documents
    self.contentType = contentType
    self.budget = budget
    self.cacheControl = cacheControl
    ifNoneMatch = head.ifNoneMatch
    isHead = head.method == .head
    takesCodings = head.codings.preferred != nil
  }

  deinit { documents.letGo(&edition) }

  /// Another thread makes the document.
  var isWaiting: Bool { true }

  /// The answer; nil while the document is being made.
  func answer() -> Answer? {
    guard let document else { return begin() }
    guard let content = documents.content(of: document, name, of: archive) else { return nil }
    var answer = answer(of: document)
    if document.count <= Self.copiedBytes {
      answer.body.append(content.bytes)
      end()
    } else {
      self.content = content
      answer.rest = .streamed(self)
    }
    return answer
  }

  /// Same, before the document is borrowed.
  private func begin() -> Answer? {
    let edition = edition ?? documents.edition(of: archive)
    self.edition = edition
    switch documents.find(name, in: edition) {
    case nil: return nil
    case .tooLarge:
      return Answer(problem: .documentTooLarge(limitBytes: name.limitBytes))
    case .busy: return Answer(problem: budget.overload.refuse(for: .slots))
    case .document(let document):
      // Compressed and uncompressed answers have the same tag, so it is weak (RFC 9110, section 8.8.1).
      isKnown = ifNoneMatch.map { EntityTag(document.hash).isNamed(inIfNoneMatch: $0) } ?? false
      let isLarge = document.count > Self.copiedBytes
      // A small one is compressed even for a 304, which tells of its length.
      if isLarge ? isKnown || isHead : isKnown && !takesCodings {
        var answer = answer(of: document)
        answer.rest = .streamed(self)
        return answer
      }
      let hasRoom = !isLarge || budget.hasRoomForStream()
      guard hasRoom, budget.reserveShared(document, bytes: document.count) else {
        return Answer(
          problem: document.count > budget.largestBytes
            ? .neverFits(documentOf: document.count, limitBytes: budget.limitBytes)
            : budget.overload.refuse(for: .rowMemory))
      }
      document.borrow()
      self.document = document
      return self.answer()
    }
  }

  /// The answer without its body.
  private func answer(of document: ArchiveDocument) -> Answer {
    var answer = Answer(
      status: isKnown ? 304 : 200, contentType: contentType,
      headers: [("ETag", "W/" + EntityTag(document.hash).headerValue)])
    if let cacheControl { answer.headers.append(("Cache-Control", cacheControl)) }
    answer.streamedBytes = document.count
    return answer
  }

  func advance(over _: inout ByteBuffer, sharers _: Int, factory _: isolated CellFactory) -> Answer? {
    answer()
  }

  func write(
    into output: inout ByteBuffer, bytes: Int, over _: inout ByteBuffer, sharers _: Int,
    factory _: isolated CellFactory
  ) -> BodyProgress {
    guard let content else { return .complete }
    let end = min(writtenBytes + bytes, content.bytes.count)
    output.append(UnsafeRawBufferPointer(rebasing: content.bytes[writtenBytes..<end]))
    writtenBytes = end
    return end == content.bytes.count ? .complete : .more
  }

  func end() {
    content = nil
    guard let document = document.take() else { return }
    document.giveBack()
    budget.releaseShared(document)
  }
}
