import CellTemplates

/// The archive's tables that rendering refers to. Valid as long as the archive; the verifier has checked that all
/// referenced rows exist.
struct RenderTables: BitwiseCopyable {
  let steps: UnsafePointer<Step>
  let literals: UnsafePointer<UInt8>
  let paths: UnsafePointer<PathEntry>
  let names: UnsafePointer<NameEntry>
  let segments: UnsafePointer<UInt32>
  let calls: UnsafePointer<CallEntry>
  let programs: UnsafePointer<ProgramEntry>
  let outlets: UnsafePointer<OutletEntry>
  let binds: UnsafePointer<BindEntry>
  let schemes: AllowedSchemes
  let blocks: UnsafePointer<BlockEntry>
  let overrides: UnsafePointer<OverrideEntry>
  let kinds: UnsafePointer<KindEntry>

  init(_ archive: borrowing CellArchive) {
    steps = archive.steps.base
    literals = archive.literals.base
    paths = archive.paths.base
    names = archive.names.base
    segments = archive.segments.base
    calls = archive.calls.base
    programs = archive.programs.base
    outlets = archive.outlets.base
    binds = archive.binds.base
    schemes = AllowedSchemes(archive)
    blocks = archive.blocks.base
    overrides = archive.overrides.base
    kinds = archive.kinds.base
  }
}
