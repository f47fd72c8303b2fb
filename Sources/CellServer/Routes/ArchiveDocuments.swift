import CellTemplates
import Cells
import Dispatch
import Synchronization

/// The documents that describe an archive: its kinds, their schemas, the API description. Each is made once,
/// on a separate queue, when it is first requested, and shared by all workers.
///
/// Bounded: the list of kinds and the API description, whose size depends on the archive, and `keptBytes` of
/// documents for single kinds. Documents are kept for the two archives used last, because a reload reaches
/// workers one after another.
final class ArchiveDocuments: Sendable {
  enum Name: Hashable {
    case kinds, openapi
    case kind(UInt32)
    case schema(UInt32)

    /// Whether there is one for each kind.
    var isOfKind: Bool {
      switch self {
      case .kinds, .openapi: false
      case .kind, .schema: true
      }
    }
  }

  /// A document as sent without compression.
  final class Document: Sendable {
    let bytes: [UInt8]
    /// The hash of the bytes, in hexadecimal.
    let hash: String

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      hash = bytes.withUnsafeBytes { ContentHash(of: $0).hex }
    }
  }

  private struct Edition {
    let archive: CellArchive
    /// nil while the document is being made.
    var documents: [Name: Document?] = [:]
    /// Bytes of the kept documents for single kinds.
    var keptBytes = 0
  }

  /// The limit of kept documents for single kinds. Beyond it all of them are dropped, and made again when
  /// requested.
  static let keptBytes = 8 << 20
  private static let keptArchives = 2

  private let queue = DispatchQueue(label: "cells-documents")
  /// Ordered by last use; the most recently used is last.
  private let editions = Mutex<[Edition]>([])

  /// The document; nil while it is being made, so ask again.
  func document(_ name: Name, of archive: CellArchive) -> Document? {
    let found: Document?? = editions.withLock { editions in
      let place = Self.place(of: archive, in: &editions)
      let found = editions[place].documents[name]
      if found == nil { editions[place].documents[name] = .some(nil) }
      return found
    }
    if let found { return found }
    queue.async { [self] in keep(Document(Self.make(name, of: archive)), as: name, of: archive) }
    return nil
  }

  private static func place(of archive: CellArchive, in editions: inout [Edition]) -> Int {
    if let place = editions.lastIndex(where: { $0.archive === archive }) { return place }
    if editions.count == keptArchives { editions.removeFirst() }
    editions.append(Edition(archive: archive))
    return editions.count - 1
  }

  private func keep(_ document: Document, as name: Name, of archive: CellArchive) {
    editions.withLock { editions in
      // The archive may have been dropped since.
      guard let place = editions.lastIndex(where: { $0.archive === archive }) else { return }
      if name.isOfKind {
        if editions[place].keptBytes + document.bytes.count > Self.keptBytes {
          // Keeps the documents still being made.
          editions[place].documents = editions[place].documents.filter { !$0.key.isOfKind || $0.value == nil }
          editions[place].keptBytes = 0
        }
        editions[place].keptBytes += document.bytes.count
      }
      editions[place].documents[name] = document
    }
  }

  private static func make(_ name: Name, of archive: CellArchive) -> [UInt8] {
    var output = ByteBuffer()
    switch name {
    case .kinds: KindDescription.appendAll(of: archive, to: &output)
    case .openapi: OpenAPIDocument.append(of: archive, to: &output)
    case .kind(let kind): KindDescription.append(kind, of: archive, to: &output)
    case .schema(let kind): SchemaWriter.append(kind, of: archive, to: &output)
    }
    return Array(output.bytes)
  }
}
