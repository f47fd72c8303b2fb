/// Finds the first cell with a nib and class, in the order of nibs and of their cells.
struct CellSelection: Sendable {
  /// By the bytes of their names, which are in the archive's literals.
  private var nibs: [Name: UInt32] = [:]
  private var classes: [Name: UInt32] = [:]
  /// The bytes of the longest of these names: a longer one, which a client may send, is not even hashed.
  private var longest = 0
  /// The first kind for a nib and a class; each may be none.
  private var first: [Asked: UInt32] = [:]

  private struct Asked: Hashable {
    var nib: UInt32
    var cellClass: UInt32
  }

  /// A name as bytes. Valid as long as the archive, which owns this table.
  private struct Name: Hashable, @unchecked Sendable {
    // Sendable because the bytes are immutable.
    let bytes: UnsafeRawBufferPointer

    static func == (left: Name, right: Name) -> Bool {
      left.bytes.count == right.bytes.count && left.bytes.elementsEqual(right.bytes)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
  }

  /// The archive owns this value and must outlive it. Cost: linear in the kinds and their classes.
  init(
    kinds: FrozenArray<KindEntry>, nibs nibEntries: FrozenArray<NibEntry>, texts: FrozenArray<LiteralRef>,
    literals: FrozenArray<UInt8>
  ) {
    func name(_ ref: LiteralRef) -> Name {
      Name(bytes: UnsafeRawBufferPointer(start: literals.base + Int(ref.offset), count: Int(ref.count)))
    }
    for number in 0..<nibEntries.count { nibs[name(nibEntries[number].name)] = UInt32(number) }
    longest = nibs.keys.reduce(0) { max($0, $1.bytes.count) }
    let ordered = (0..<kinds.count).filter { kinds[$0].nib != noIndex }
      .sorted { (kinds[$0].nib, kinds[$0].order) < (kinds[$1].nib, kinds[$1].order) }
    for number in ordered {
      let kind = kinds[number]
      note(Asked(nib: kind.nib, cellClass: noIndex), number)
      for position in kind.classStart..<kind.classStart + kind.classCount {
        let key = name(texts[Int(position)])
        let id = classes[key] ?? UInt32(classes.count)
        classes[key] = id
        longest = max(longest, key.bytes.count)
        note(Asked(nib: noIndex, cellClass: id), number)
        note(Asked(nib: kind.nib, cellClass: id), number)
      }
    }
  }

  private func number(of name: UnsafeRawBufferPointer, in numbers: [Name: UInt32]) -> UInt32? {
    name.count > longest ? nil : numbers[Name(bytes: name)]
  }

  private mutating func note(_ asked: Asked, _ kind: Int) {
    if first[asked] == nil { first[asked] = UInt32(kind) }
  }

  /// The number of a nib; nil if there is none of this name. Takes constant time.
  func nib(named name: UnsafeRawBufferPointer) -> UInt32? { number(of: name, in: nibs) }

  /// The number of the first kind; nil if none matches. Takes constant time.
  func first(nib: UnsafeRawBufferPointer?, class cellClass: UnsafeRawBufferPointer?) -> UInt32? {
    var asked = Asked(nib: noIndex, cellClass: noIndex)
    if let nib {
      guard let number = number(of: nib, in: nibs) else { return nil }
      asked.nib = number
    }
    if let cellClass {
      guard let number = number(of: cellClass, in: classes) else { return nil }
      asked.cellClass = number
    }
    return first[asked]
  }
}
