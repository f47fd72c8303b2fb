import CellTemplates
import Cells
import Dispatch
import Synchronization

/// The documents that describe an archive: its kinds, their schemas, the API description. A separate thread makes
/// them on demand; all workers share them.
///
/// A document is written twice. The first time only counts and hashes its bytes, and takes little memory. The second
/// time stores them, after the worker has reserved that many bytes in its budget. Up to `keptBytes` of all documents
/// stay in memory when nobody reads them. A larger document is made again for the next reader, but readers at the same
/// time share one. Lengths and hashes are kept for the two archives used last, because workers adopt a reloaded archive
/// one after another, and for earlier ones while a request uses them. Once all workers have adopted one, only for that.
package final class ArchiveDocuments: Sendable {
  enum Name: Hashable {
    case kinds, openapi
    case kind(UInt32)
    case schema(UInt32, hasExamples: Bool)
    case strictSchema(UInt32, hasExamples: Bool)
    /// The style sheet of a nib, within a scope.
    case style(nib: Int, scope: String?)
    /// The `@import`s of the style sheets of the nibs that kinds are drawn with; nil for all.
    case styles(kinds: [UInt32]?, scope: String?)

    /// The most bytes of such a document.
    var limitBytes: Int {
      switch self {
      case .style: NibStyles.limitBytes
      case .kinds, .openapi, .kind, .schema, .strictSchema, .styles: ArchiveDocuments.limitBytes
      }
    }

    /// Whether a client decides how many documents like it there are.
    var isOfClient: Bool {
      switch self {
      case .kinds, .openapi, .kind, .schema, .strictSchema: false
      case .style(_, let scope): scope != nil
      case .styles(let kinds, let scope): kinds != nil || scope != nil
      }
    }
  }

  /// The result of measuring a document.
  enum Finding {
    case document(ArchiveDocument)
    /// It has more than `limitBytes`.
    case tooLarge
    /// Too many others are being measured whose number clients decide.
    case busy
  }

  private struct State {
    /// Least recently used first.
    var editions: [DocumentEdition] = []
    /// Those that have made room for others, as long as requests use them.
    var leaving: [DocumentEdition.Weak] = []
    /// The documents whose bytes are kept, and the sum of their lengths.
    var kept: [ArchiveDocument] = []
    var keptBytes = 0
    /// With so many, those that are forgotten are left out.
    var mostKept = leastPruned

    /// - Parameter evicted: gets the edition that makes room for a new one.
    mutating func edition(of archive: CellArchive, _ evicted: inout DocumentEdition?) -> DocumentEdition {
      if let position = editions.lastIndex(where: { $0.archive === archive }) {
        if position < editions.count - 1 { editions.append(editions.remove(at: position)) }
        return editions[editions.count - 1]
      }
      leaving.removeAll { $0.edition == nil }
      if let edition = leaving.lazy.compactMap(\.edition).first(where: { $0.archive === archive }) {
        return edition
      }
      if editions.count == keptArchives {
        let oldest = editions.removeFirst()
        leaving.append(DocumentEdition.Weak(edition: oldest))
        evicted = oldest
      }
      let edition = DocumentEdition(of: archive)
      editions.append(edition)
      return edition
    }
  }

  /// The largest document.
  static let limitBytes = 64 << 20
  /// How many bytes of all documents are kept. If they would be more, all are dropped, and those still in use are made
  /// again.
  static let keptBytes = 16 << 20
  /// A document is written in pieces of about this size. A document of one piece is written only once.
  static let pieceBytes = 64 << 10
  private static let keptArchives = 2
  /// So few documents are not looked through for forgotten ones.
  private static let leastPruned = 1024

  private let limitBytes: Int
  private let keptBytes: Int
  /// Runs work on another thread, in order.
  private let run: Run
  private let state = Mutex(State())
  private let held = ArchiveDocument.Tally()

  package typealias Run = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  /// - Parameter run: runs work on another thread, in order. A server passes a thread that exists: Dispatch waits for one
  ///   where the process may not have more threads.
  package convenience init(run: @escaping Run = dispatched()) {
    self.init(limitBytes: Self.limitBytes, keptBytes: Self.keptBytes, run: run)
  }

  /// For tests.
  init(limitBytes: Int = limitBytes, keptBytes: Int, run: @escaping Run = dispatched()) {
    self.limitBytes = limitBytes
    self.keptBytes = keptBytes
    self.run = run
  }

  /// Runs work on a queue of its own, for use in process.
  package static func dispatched() -> Run {
    let queue = DispatchQueue(label: "cells-documents")
    return { work in queue.async { work() } }
  }

  /// Bytes of all documents in memory, kept or borrowed.
  var heldBytes: Int { held.value }

  /// How many documents are noted to be kept, with those that were forgotten since. For tests.
  var keptCount: Int { state.withLock { $0.kept.count } }

  /// What is known of an archive's documents. A request keeps it to its end, and gives it to `letGo` then: that of an archive
  /// which two others have followed would else be forgotten while its documents are made, and they would be made for ever.
  func edition(of archive: CellArchive) -> DocumentEdition {
    var evicted: DocumentEdition?
    let edition = state.withLock { $0.edition(of: archive, &evicted) }
    forgetElsewhere(&evicted)
    return edition
  }

  /// Takes back an edition that was used.
  func letGo(_ edition: inout DocumentEdition?) {
    let isKept = state.withLock { state in
      guard state.editions.contains(where: { $0 === edition }) else { return false }
      edition = nil
      return true
    }
    if !isKept { forgetElsewhere(&edition) }
  }

  /// Forgets all archives but one, each when no request uses it any longer: while it is known here, it stays in memory.
  func forgetAll(but archive: CellArchive) {
    let others = state.withLock { state in
      let others = state.editions.filter { $0.archive !== archive }
      state.editions.removeAll { $0.archive !== archive }
      state.leaving += others.map { DocumentEdition.Weak(edition: $0) }
      return others.map { other in
        var other: DocumentEdition? = other
        return DocumentEdition.Leaving(&other)
      }
    }
    for other in others { forgetElsewhere(other) }
  }

  /// Measures the document once. Returns nil until that is done.
  func find(_ name: Name, in edition: DocumentEdition) -> Finding? {
    switch edition.find(name) {
    case .known(let finding): return finding
    case .beingMeasured: return nil
    case .unknown:
      run { [self] in measure(name, in: edition) }
      return nil
    }
  }

  /// The bytes of a borrowed document. Returns nil until they are made.
  func content(of document: ArchiveDocument, _ name: Name, of archive: CellArchive) -> SharedBuffer? {
    document.content {
      run { [self] in
        if document.isAbandoned() { return }
        var buffer = ByteBuffer(capacity: document.count)
        Self.write(name, of: archive, limitBytes: document.count) { buffer.append($0) }
        precondition(buffer.count == document.count, "an archive's document is the same each time")
        document.fill(SharedBuffer(buffer))
        keep(document)
      }
    }
  }

  /// Frees an edition on the other thread, once nobody uses it: with the documents of 20,000 kinds, that takes 20 ms.
  private func forgetElsewhere(_ edition: inout DocumentEdition?) {
    if edition != nil { forgetElsewhere(DocumentEdition.Leaving(&edition)) }
  }

  private func forgetElsewhere(_ leaving: DocumentEdition.Leaving) {
    run { [self] in
      var edition = leaving.take()
      // Whoever still uses it comes here later.
      if isKnownUniquelyReferenced(&edition), let edition { forget(edition) }
    }
  }

  /// Forgets the documents of an edition. On the other thread, which alone changes what is kept.
  private func forget(_ edition: DocumentEdition) {
    edition.forgetDocuments()
    prune()
  }

  /// Leaves out documents whose bytes are forgotten. Returns the bytes of the others.
  @discardableResult
  private func prune() -> Int {
    // Counted and freed outside the lock, because requests wait for it.
    let kept = state.withLock { $0.kept }.filter(\.isKept)
    let bytes = kept.reduce(0) { $0 + $1.count }
    var forgotten: [ArchiveDocument] = []
    state.withLock { state in
      swap(&forgotten, &state.kept)
      (state.kept, state.keptBytes) = (kept, bytes)
      state.mostKept = max(2 * kept.count, Self.leastPruned)
    }
    return bytes
  }

  private func measure(_ name: Name, in edition: DocumentEdition) {
    var hasher = ContentHasher()
    var count = 0
    var content: SharedBuffer?
    let isWhole = Self.write(name, of: edition.archive, limitBytes: limitBytes) { bytes in
      content = count == 0 ? SharedBuffer(copying: bytes) : nil
      count += bytes.count
      hasher.append(bytes)
    }
    var finding = Finding.tooLarge
    if isWhole {
      let document = ArchiveDocument(count: count, hash: hasher.hash, content: content, heldBytes: held)
      if content != nil { keep(document) }
      finding = .document(document)
    }
    edition.note(finding, of: name)
    // All that waited for it may be gone.
    var used: DocumentEdition? = edition
    letGo(&used)
  }

  /// Keeps the document's bytes, or drops them if they are too many to keep. On the other thread.
  private func keep(_ document: ArchiveDocument) {
    guard document.count <= keptBytes else { return document.forget() }
    let (isFull, isLong) = state.withLock { state in
      (state.keptBytes + document.count > keptBytes, state.kept.count >= state.mostKept)
    }
    var forgotten: [ArchiveDocument] = []
    if isFull || isLong {
      let left = prune()
      // If only few are forgotten already, all are: to look through them for each document would take long.
      if isFull, left > keptBytes / 2 || left + document.count > keptBytes {
        state.withLock { state in
          swap(&forgotten, &state.kept)
          state.keptBytes = 0
        }
      }
    }
    state.withLock { state in
      state.kept.append(document)
      state.keptBytes += document.count
    }
    for other in forgotten { other.forget() }
  }

  /// Writes a document in pieces. Returns false if it has more bytes than the limit; then not all were written.
  @discardableResult
  private static func write(
    _ name: Name, of archive: CellArchive, limitBytes: Int, _ take: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    var output = ByteBuffer()
    var count = 0
    func goesOn(_ output: inout ByteBuffer) -> Bool {
      if output.count <= pieceBytes { return true }
      return takePiece(&output)
    }
    func takePiece(_ output: inout ByteBuffer) -> Bool {
      count += output.count
      guard count <= limitBytes else { return false }
      take(output.bytes)
      output.truncate(to: 0)
      return true
    }
    switch name {
    case .kinds: KindDescription.appendAll(of: archive, to: &output, goesOn)
    case .openapi: OpenAPIDocument.append(of: archive, to: &output)
    case .kind(let kind): KindDescription.append(kind, of: archive, to: &output, goesOn)
    case .schema(let kind, let hasExamples):
      SchemaWriter.append(kind, of: archive, hasExamples: hasExamples, to: &output, goesOn)
    case .strictSchema(let kind, let hasExamples):
      StrictSchemaWriter.append(kind, of: archive, hasExamples: hasExamples, to: &output, goesOn)
    case .style(let nib, let scope):
      guard let styles = NibStyles(of: nib, in: archive) else { return false }
      output.append(styles.sheet(scope: scope))
    case .styles(let kinds, let scope):
      StyleList.append(kinds, scope: scope, of: archive, to: &output, goesOn)
    }
    return takePiece(&output)
  }
}
