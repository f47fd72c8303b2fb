import CellTemplates
import Cells
import Dispatch
import Synchronization

/// What an archive says of itself: its kinds, their schemas, the contract. Each document is made once, by a thread of its
/// own, when it is first asked for, and shared by all workers.
///
/// Bounded: the list of kinds and the contract, whose size is the archive's; and of the documents of single kinds
/// `keptBytes`. Those of the two archives asked last are kept, for a reload comes to one worker after another.
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

  /// A document, as it is sent to those who do not ask for it compressed.
  final class Document: Sendable {
    let bytes: [UInt8]
    /// Of the bytes, in hexadecimal.
    let hash: String

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      hash = bytes.withUnsafeBytes { ContentHash(of: $0).hex }
    }
  }

  private struct Edition {
    let archive: CellArchive
    /// nil: it is being made.
    var documents: [Name: Document?] = [:]
    /// Of those of single kinds.
    var keptBytes = 0
  }

  /// Bytes of the documents of single kinds that are kept. Past it all of them are forgotten, and those that are still
  /// asked for are made again.
  static let keptBytes = 8 << 20
  private static let keptArchives = 2

  private let queue = DispatchQueue(label: "cells-documents")
  /// The archive asked last is the last.
  private let editions = Mutex<[Edition]>([])

  /// The document; nil: it is being made, ask again.
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
      // Its archive may have made way in the meantime.
      guard let place = editions.lastIndex(where: { $0.archive === archive }) else { return }
      if name.isOfKind {
        if editions[place].keptBytes + document.bytes.count > Self.keptBytes {
          // What is being made is still to come.
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
