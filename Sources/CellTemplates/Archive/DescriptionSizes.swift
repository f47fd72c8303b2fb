/// The size of the descriptions of kinds: names, classes, partials, parts with their formats, and the styles of their nibs, as
/// sent by `GET /kinds`.
///
/// Kinds may share texts, which are stored once in the literal pool: nine cells with the class `NewsCell`
/// store that name once. So neither the pool nor the tables bound the total size of the descriptions, and a
/// small archive could expand without limit. The compiler and the verifier apply the same limit.
struct DescriptionSizes {
  /// The fixed part of the limit, for texts that kinds usually share.
  static let baseBytes: UInt64 = 64 << 20
  /// The additional limit for each byte of the archive.
  static let growth: UInt64 = 8

  private let tables: ArchiveTables
  /// The total size of all texts before each index of the table of texts. Each text counts one more byte, so
  /// that kinds cannot share a long run of empty texts.
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

  /// The limit of all descriptions together, in bytes.
  var limitBytes: UInt64 {
    let rows =
      tables.literals.count + tables.texts.count * MemoryLayout<LiteralRef>.stride
      + tables.parts.count * MemoryLayout<PartEntry>.stride + tables.kinds.count
      * MemoryLayout<KindEntry>.stride
    return Self.baseBytes + Self.growth * UInt64(rows)
  }

  /// The size of one kind's description in bytes. Its ranges, those of its nib, and its parts' formats must
  /// be inside their tables.
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
      if part.format != noIndex { sum += UInt64(tables.formats[Int(part.format)].text.count) }
    }
    return sum
  }

  private func run(_ start: UInt32, _ count: UInt32) -> UInt64 {
    before[Int(start) + Int(count)] - before[Int(start)]
  }

  /// The first kind whose description exceeds the limit; nil if none does.
  var firstBeyondLimit: Int? {
    let limit = limitBytes
    var described: UInt64 = 0
    return tables.kinds.firstIndex { kind in
      described += bytes(of: kind)
      return described > limit
    }
  }
}
