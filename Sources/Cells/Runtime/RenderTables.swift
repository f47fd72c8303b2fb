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
    literals = archive.tables.$literals.base
    paths = archive.tables.$paths.base
    names = archive.tables.$names.base
    segments = archive.tables.$segments.base
    calls = archive.tables.$calls.base
    programs = archive.tables.$programs.base
    outlets = archive.tables.$outlets.base
    binds = archive.tables.$binds.base
    schemes = AllowedSchemes(archive)
    blocks = archive.tables.$blocks.base
    overrides = archive.tables.$overrides.base
    kinds = archive.tables.$kinds.base
  }
}
