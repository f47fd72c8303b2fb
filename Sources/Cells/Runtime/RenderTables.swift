import CellTemplates

/// The tables of an archive that steps name rows of. Valid as long as the archive, whose verifier has seen that every row
/// that is named is there.
struct RenderTables {
  let paths: UnsafePointer<PathEntry>
  let names: UnsafePointer<NameEntry>
  let segments: UnsafePointer<UInt32>
  let calls: UnsafePointer<CallEntry>
  let programs: UnsafePointer<ProgramEntry>
  let outlets: UnsafePointer<OutletEntry>
  let binds: UnsafePointer<BindEntry>
  let blocks: UnsafePointer<BlockEntry>
  let overrides: UnsafePointer<OverrideEntry>
  let kinds: UnsafePointer<KindEntry>

  init(_ archive: borrowing CellArchive) {
    paths = archive.paths.base
    names = archive.names.base
    segments = archive.segments.base
    calls = archive.calls.base
    programs = archive.programs.base
    outlets = archive.outlets.base
    binds = archive.binds.base
    blocks = archive.blocks.base
    overrides = archive.overrides.base
    kinds = archive.kinds.base
  }
}
