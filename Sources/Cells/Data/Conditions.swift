import CRowPlan
import CellTemplates

/// The conditions of an archive, as C reads them. Valid as long as the archive.
typealias Conditions = cf_conditions

extension Conditions {
  init(_ archive: borrowing CellArchive) {
    // The rows have the same words.
    precondition(
      MemoryLayout<ConditionEntry>.size == MemoryLayout<cf_condition>.size
        && MemoryLayout<ConditionLiteralEntry>.size == MemoryLayout<cf_literal>.size)
    let rows = UnsafeRawPointer(archive.tables.$conditions.base)
    let literals = UnsafeRawPointer(archive.tables.$conditionLiterals.base)
    self.init(
      rows: rows.assumingMemoryBound(to: cf_condition.self),
      literals: literals.assumingMemoryBound(to: cf_literal.self), texts: archive.tables.$literals.base,
      cardinal: nil, ordinal: nil)
  }
}
