/// A table of an archive: its entries, and what checks them when an archive is read. `ArchiveTables` declares them all.
///
/// A table is in one of two forms. The compiler collects entries in an array, `tables.names`, which the verifier reads.
/// In an archive that is used, they lie at a fixed address: `tables.$names`. To use the form that a table does not have
/// traps: making it for each use would hide a cost in loops.
@propertyWrapper
package struct Table<Entry: BitwiseCopyable & Sendable>: Sendable {
  @usableFromInline var storage: Storage

  /// A class, because reflection gives copies of tables, which are filled nevertheless.
  // Unchecked, because it is written only while one owner knows it: entries are changed by the only owner, and tables are
  // filled when they are new.
  @usableFromInline final class Storage: @unchecked Sendable {
    let check: TableCheck
    // Unchecked, because they are used as parts of the struct, to which access is checked.
    @exclusivity(unchecked) var entries: [Entry]
    @exclusivity(unchecked) @usableFromInline var frozen: FrozenArray<Entry>?

    init(_ check: TableCheck, _ entries: [Entry] = []) {
      self.check = check
      self.entries = entries
    }
  }

  init(_ check: TableCheck) { storage = Storage(check) }

  /// The entries while they are collected. Cost of a change: that of an array's.
  package var wrappedValue: [Entry] {
    get {
      requireCollected()
      return storage.entries
    }
    _modify {
      requireCollected()
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.check, storage.entries) }
      yield &storage.entries
    }
  }

  private func requireCollected() {
    precondition(storage.frozen == nil, "the entries of an archive in use are in no array")
  }

  /// The entries of an archive that is used.
  @inlinable package var projectedValue: FrozenArray<Entry> {
    guard let frozen = storage.frozen else {
      preconditionFailure("entries that are collected have no fixed address")
    }
    return frozen
  }
}

extension Table: AnyTable {
  var check: TableCheck { storage.check }

  var entryBytes: Int { MemoryLayout<Entry>.stride }

  func write(to writer: inout TableWriter) {
    if let frozen = storage.frozen {
      writer.append(UnsafeBufferPointer(start: frozen.base, count: frozen.count))
    } else {
      storage.entries.withUnsafeBufferPointer { writer.append($0) }
    }
  }

  func fill(from reader: inout TableReader) throws(ArchiveError) { storage.entries = try reader.entries() }

  func fill(freezing table: any AnyTable) {
    guard let table = table as? Table<Entry> else {
      preconditionFailure("the same declaration has the same entries")
    }
    storage.frozen = FrozenArray(table.wrappedValue)
  }
}
