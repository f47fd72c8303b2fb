import CellTemplates
import Synchronization

/// The values of the label `kind`, and the index of each in tables. Shared by all workers.
///
/// The first `limit` kinds get a label of their own, in the order of the archive. Kinds that a reload adds
/// get one while any are left. A label is never reused: the counts for a name remain, whatever becomes of the
/// kind. All other kinds share a label, and so do requests for kinds that do not exist, because client input
/// must not become a label.
final class KindLabels: Sendable {
  /// The highest allowed limit. Each label uses some hundred bytes in each worker.
  package static let highestLimit = 1000

  let limit: Int
  private let given = Mutex<[String]>([])

  init(limit: Int) {
    precondition((0...Self.highestLimit).contains(limit))
    self.limit = limit
  }

  /// The number of labels, including the two shared ones.
  var count: Int { limit + 2 }
  /// The index for kinds without a label of their own.
  var other: Int { limit }
  /// The index for names that are not a kind of the archive.
  var unknown: Int { limit + 1 }

  /// The labels at `other` and `unknown`.
  static let shared = ["other", "unknown"]

  /// The labels assigned so far, by index. Those at `other` and `unknown` are `shared`.
  var names: [String] { given.withLock { $0 } }

  /// The label index of each kind of an archive, by kind number. Assigns labels to new kinds.
  func positions(of archive: CellArchive) -> [UInt16] {
    var positions = [UInt16](repeating: UInt16(other), count: archive.kindCount)
    given.withLock { names in
      for (position, name) in names.enumerated() {
        if let kind = archive.kindNumber(name) { positions[Int(kind)] = UInt16(position) }
      }
      for kind in 0..<positions.count where names.count < limit && positions[kind] == UInt16(other) {
        let name = String(decoding: archive.name(ofKind: UInt32(kind)), as: UTF8.self)
        // A kind may be called like a shared label; two labels must not be equal.
        if Self.shared.contains(name) { continue }
        positions[kind] = UInt16(names.count)
        names.append(name)
      }
    }
    return positions
  }
}
