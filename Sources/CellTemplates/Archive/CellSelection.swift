/// Finds cells by nib and class: the first that matches, in the order of the nibs and of the cells in them.
struct CellSelection: Sendable {
  /// By the bytes of their names, which lie in the archive's literals.
  private var nibs: [Name: UInt32] = [:]
  private var classes: [Name: UInt32] = [:]
  /// The first kind for a nib and a class, each as a number or none.
  private var first: [Asked: UInt32] = [:]

  private struct Asked: Hashable {
    var nib: UInt32
    var cellClass: UInt32
  }

  /// A name by its bytes. Only for as long as the archive lives, which holds this table.
  private struct Name: Hashable, @unchecked Sendable {
    // Sendable: the bytes are immutable.
    let bytes: UnsafeRawBufferPointer

    static func == (left: Name, right: Name) -> Bool {
      left.bytes.count == right.bytes.count && left.bytes.elementsEqual(right.bytes)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
  }

  /// - Parameter archive: owns this value; its tables are in place. Cost: linear in its kinds and their
  ///   classes.
  init(
    kinds: FrozenArray<KindEntry>, nibs nibEntries: FrozenArray<NibEntry>, texts: FrozenArray<LiteralRef>,
    literals: FrozenArray<UInt8>
  ) {
    func name(_ ref: LiteralRef) -> Name {
      Name(bytes: UnsafeRawBufferPointer(start: literals.base + Int(ref.offset), count: Int(ref.count)))
    }
    for number in 0..<nibEntries.count { nibs[name(nibEntries[number].name)] = UInt32(number) }
    let ordered = (0..<kinds.count).filter { kinds[$0].nib != noIndex }
      .sorted { (kinds[$0].nib, kinds[$0].order) < (kinds[$1].nib, kinds[$1].order) }
    for number in ordered {
      let kind = kinds[number]
      note(Asked(nib: kind.nib, cellClass: noIndex), number)
      for place in kind.classStart..<kind.classStart + kind.classCount {
        let key = name(texts[Int(place)])
        let id = classes[key] ?? UInt32(classes.count)
        classes[key] = id
        note(Asked(nib: noIndex, cellClass: id), number)
        note(Asked(nib: kind.nib, cellClass: id), number)
      }
    }
  }

  private mutating func note(_ asked: Asked, _ kind: Int) {
    if first[asked] == nil { first[asked] = UInt32(kind) }
  }

  /// The number of the first kind; nil where none matches. Constant time.
  func first(nib: UnsafeRawBufferPointer?, class cellClass: UnsafeRawBufferPointer?) -> UInt32? {
    var asked = Asked(nib: noIndex, cellClass: noIndex)
    if let nib {
      guard let number = nibs[Name(bytes: nib)] else { return nil }
      asked.nib = number
    }
    if let cellClass {
      guard let number = classes[Name(bytes: cellClass)] else { return nil }
      asked.cellClass = number
    }
    return first[asked]
  }
}
