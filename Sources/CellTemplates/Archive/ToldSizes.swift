/// How long what is told of kinds is: their names, classes, partials, parts, and the styles of their nibs, as
/// `GET /kinds` tells them.
///
/// Kinds may share texts, each of which lies in the literal pool once: nine cells of the class `NewsCell` have that name
/// there once. So neither the pool nor the tables bound what is told of all kinds together, and a small archive could
/// make a reader write without end. The compiler keeps to the same bound as the verifier.
struct ToldSizes {
  /// For what kinds share by nature.
  static let baseBytes: UInt64 = 64 << 20
  /// For each byte of the archive.
  static let growth: UInt64 = 8

  private let tables: ArchiveTables
  /// The bytes of all texts before each place of the table of texts. An empty text counts too, so that kinds cannot
  /// share a long run of them.
  private var before: [UInt64] = [0]

  init(_ tables: ArchiveTables) {
    self.tables = tables
    before.reserveCapacity(tables.texts.count + 1)
    var sum: UInt64 = 0
    for text in tables.texts {
      sum += UInt64(text.count) + 1
      before.append(sum)
    }
  }

  /// What may be told of all kinds, in bytes.
  var limitBytes: UInt64 {
    let rows =
      tables.literals.count + tables.texts.count * MemoryLayout<LiteralRef>.stride
      + tables.parts.count * MemoryLayout<PartEntry>.stride + tables.kinds.count
      * MemoryLayout<KindEntry>.stride
    return Self.baseBytes + Self.growth * UInt64(rows)
  }

  /// What is told of one kind, in bytes. Its runs, and its nib's, lie inside their tables.
  func bytes(of kind: KindEntry) -> UInt64 {
    var sum = UInt64(kind.name.count)
    sum += run(kind.nameStart, kind.nameCount) + run(kind.partialStart, kind.partialCount)
    sum += run(kind.classStart, kind.classCount)
    if kind.nib != noIndex {
      let nib = tables.nibs[Int(kind.nib)]
      sum += UInt64(nib.name.count) + run(nib.styleStart, nib.styleCount)
    }
    for part in tables.parts[Int(kind.partStart)..<Int(kind.partStart) + Int(kind.partCount)] {
      sum += UInt64(part.name.count) + UInt64(part.element.count) + UInt64(part.placeholder.count) + 1
    }
    return sum
  }

  private func run(_ start: UInt32, _ count: UInt32) -> UInt64 {
    before[Int(start) + Int(count)] - before[Int(start)]
  }

  /// The first kind with which more is told than may be; nil where all is within the bound.
  var firstBeyondLimit: Int? {
    let limit = limitBytes
    var told: UInt64 = 0
    return tables.kinds.firstIndex { kind in
      told += bytes(of: kind)
      return told > limit
    }
  }
}
