/// An archive's content as plain tables: what the compiler writes and the file holds.
///
/// Nothing here is checked; `ArchiveVerifier` decides whether tables can be run.
package struct ArchiveTables: Equatable, Sendable {
  /// Every run of text the programs copy, and every name: referred to by `LiteralRef`.
  package var literals: [UInt8] = []
  package var names: [NameEntry] = []
  /// Names of dotted paths behind their first.
  package var segments: [UInt32] = []
  package var paths: [PathEntry] = []
  package var ops: [Op] = []
  package var programs: [ProgramEntry] = []
  package var calls: [CallEntry] = []
  package var overrides: [OverrideEntry] = []
  package var blocks: [BlockEntry] = []
  package var outlets: [OutletEntry] = []
  package var binds: [BindEntry] = []
  package var links: [LinkEntry] = []
  /// In the order of the templates folder.
  package var nibs: [NibEntry] = []
  package var parts: [PartEntry] = []
  package var texts: [LiteralRef] = []
  /// Sorted by the bytes of their names.
  package var kinds: [KindEntry] = []
  /// The names of the URL schemes that links may carry: in lower case, sorted by their bytes.
  package var schemes: [LiteralRef] = []

  package init() {}

  /// Names that requests use themselves; every archive's table of names begins with them, in this order.
  package static let reservedNames = ["kind", "nib", "class", "id", "data", "etag", "owner", "rows"]
}

/// The ids of the reserved names: their places in `ArchiveTables.reservedNames`.
package enum ReservedName {
  @inlinable package static var kind: UInt32 { 0 }
  @inlinable package static var nib: UInt32 { 1 }
  @inlinable package static var `class`: UInt32 { 2 }
  @inlinable package static var id: UInt32 { 3 }
  @inlinable package static var data: UInt32 { 4 }
  @inlinable package static var etag: UInt32 { 5 }
  @inlinable package static var owner: UInt32 { 6 }
  @inlinable package static var rows: UInt32 { 7 }
}
