import CellTemplates
import Synchronization

/// Values of the label `kind`: which kinds have one of their own, and its place in tables. One for all workers.
///
/// The first `limit` kinds have, in the order of the archive; kinds that a reload brings have one as long as there are.
/// None is ever given to another: what is counted for a name stays, whatever becomes of its kind. All other kinds are
/// counted together, and so are requests for kinds that do not exist: what clients send is no label.
final class KindLabels: Sendable {
  /// Most that may be asked for: each takes some hundred bytes of each worker.
  package static let highestLimit = 10_000

  let limit: Int
  private let names = Mutex<[String]>([])

  init(limit: Int) {
    precondition((0...Self.highestLimit).contains(limit))
    self.limit = limit
  }

  /// How many places there are.
  var count: Int { limit + 2 }
  /// The place of kinds that have none of their own.
  var other: Int { limit }
  /// The place of what names no kind of the archive.
  var unknown: Int { limit + 1 }

  private static let otherLabel = "other"
  private static let unknownLabel = "unknown"

  /// The labels that have been given so far, each at its place, and those of `other` and `unknown`.
  var labels: [(place: Int, label: String)] {
    var labels = names.withLock { $0 }.enumerated().map { (place: $0.offset, label: $0.element) }
    labels += [(other, Self.otherLabel), (unknown, Self.unknownLabel)]
    return labels
  }

  /// The places of an archive's kinds, by their numbers. Gives labels to kinds that have none.
  func places(of archive: CellArchive) -> [UInt16] {
    var places = [UInt16](repeating: UInt16(other), count: archive.kinds.count)
    names.withLock { names in
      for (place, name) in names.enumerated() {
        if let kind = archive.kindNumber(name) { places[Int(kind)] = UInt16(place) }
      }
      for kind in 0..<places.count where names.count < limit && places[kind] == UInt16(other) {
        let name = String(decoding: archive.bytes(archive.kinds[kind].name), as: UTF8.self)
        // A kind may have the name of a label that is no kind's; two labels must never be the same.
        if name == Self.otherLabel || name == Self.unknownLabel { continue }
        places[kind] = UInt16(names.count)
        names.append(name)
      }
    }
    return places
  }
}
