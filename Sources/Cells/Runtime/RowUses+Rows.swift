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

  /// The names that an item may have.
  static let itemNames = [
    ReservedName.data, ReservedName.kind, ReservedName.nib, ReservedName.class, ReservedName.id,
    ReservedName.etag,
    ReservedName.locale, ReservedName.timeZone,
  ]

  /// Whether any value has a fault.
  package var mayRefuse: Bool { refuseItem || !takeList || !takeScalar }
}

extension JSONTape {
  /// Whether an object has `data`, and beside it only what items have.
  fileprivate func isItem(_ object: Index) -> Bool {
    holds(ReservedName.data, among: ReservedNames.ofItems, in: object)
  }

  /// Whether an object has `rows`, and beside it only what envelopes have.
  package func isEnvelope(_ object: Index) -> Bool {
    holds(ReservedName.rows, among: ReservedNames.ofEnvelopes, in: object)
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
  static let ofItems = ReservedNames(RowUses.itemNames)
  static let ofEnvelopes = ReservedNames([
    ReservedName.rows, ReservedName.kind, ReservedName.owner, ReservedName.locale, ReservedName.timeZone,
    ReservedName.now,
  ])

  private var bits: UInt32 = 0

  init(_ names: [UInt32]) { for name in names { bits |= 1 << name } }

  var count: Int { bits.nonzeroBitCount }

  func contains(_ name: UInt32) -> Bool { name < UInt32.bitWidth && bits & (1 << name) != 0 }
}
