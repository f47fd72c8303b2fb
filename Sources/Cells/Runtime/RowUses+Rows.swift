package import CellTemplates

extension RowUses {
  /// Why a value cannot be a row of a kind with these uses; nil if it can. Depends on the row's shape alone.
  package func fault(of row: JSONTape.Index, on tape: JSONTape) -> RenderFault? {
    let kind = tape.kind(row)
    switch kind {
    case .object: return refuseItem && tape.isItem(row) ? .item : nil
    case .array: return takeList ? nil : .notAnObject(kind)
    case .null, .false, .true, .number, .string, .key: return takeScalar ? nil : .notAnObject(kind)
    }
  }

  /// The names that an item may have, in the order of their numbers.
  static var itemNames: [UInt32] {
    (0..<UInt32.bitWidth).map(UInt32.init).filter(ReservedNames.ofItems.contains)
  }

  /// Whether any value has a fault.
  package var mayRefuse: Bool { refuseItem || !takeList || !takeScalar }
}

extension JSONTape {
  /// Whether an object has `data`, and beside it only what items have.
  func isItem(_ object: Index) -> Bool {
    holds(RequestName.data, among: ReservedNames.ofItems, in: object)
  }

  /// Whether an object has `rows`, and beside it only what envelopes have.
  package func isEnvelope(_ object: Index) -> Bool {
    holds(RequestName.rows, among: ReservedNames.ofEnvelopes, in: object)
  }

  /// Whether an object has a member `name`, and none that is not among `names`. Cost: the count of these names. An
  /// object with more members, repeated ones included, is another.
  private func holds(_ name: UInt32, among names: ReservedNames, in object: Index) -> Bool {
    guard kind(object) == .object, count(object) <= names.count else { return false }
    var isFound = false
    var key = object + 1
    while key < end(object) {
      let id = nameID(key)
      if !names.contains(id) { return false }
      if id == name { isFound = true }
      key = end(key + 1)
    }
    return isFound
  }
}

/// A set of reserved names.
private struct ReservedNames {
  // Computed, because the compiler then knows the bits.
  static var ofItems: ReservedNames {
    ReservedNames(
      bits: 1 << RequestName.data | 1 << RequestName.kind | 1 << RequestName.nib | 1 << RequestName.class
        | 1 << RequestName.id | 1 << RequestName.etag | 1 << RequestName.locale | 1
        << RequestName.timeZone)
  }
  static var ofEnvelopes: ReservedNames {
    ReservedNames(
      bits: 1 << RequestName.rows | 1 << RequestName.kind | 1 << RequestName.owner | 1
        << RequestName.locale
        | 1 << RequestName.timeZone | 1 << RequestName.now)
  }

  let bits: UInt32

  var count: Int { bits.nonzeroBitCount }

  func contains(_ name: UInt32) -> Bool { name < UInt32.bitWidth && bits & (1 << name) != 0 }
}
