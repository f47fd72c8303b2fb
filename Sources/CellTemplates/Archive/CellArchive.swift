/// All cells in compiled form, by kind. Immutable and shared by all threads.
///
/// Created by `TemplateCompiler` from templates, or read from a file. Both give the same archive with the
/// same `hash`. `ArchiveFormat` describes the file.
public final class CellArchive: Sendable {
  package let literals: FrozenArray<UInt8>
  package let names: FrozenArray<NameEntry>
  package let segments: FrozenArray<UInt32>
  package let paths: FrozenArray<PathEntry>
  package let ops: FrozenArray<Op>
  /// The operations in the form in which they run, one for each of `ops`.
  package let steps: FrozenArray<Step>
  package let programs: FrozenArray<ProgramEntry>
  package let calls: FrozenArray<CallEntry>
  package let overrides: FrozenArray<OverrideEntry>
  package let blocks: FrozenArray<BlockEntry>
  package let outlets: FrozenArray<OutletEntry>
  package let binds: FrozenArray<BindEntry>
  package let conditions: FrozenArray<ConditionEntry>
  package let conditionLiterals: FrozenArray<ConditionLiteralEntry>
  package let links: FrozenArray<LinkEntry>
  /// The same entries, each kind's sorted by program, so that calls find theirs in logarithmic time.
  package let linksByProgram: FrozenArray<LinkEntry>
  package let nibs: FrozenArray<NibEntry>
  package let parts: FrozenArray<PartEntry>
  package let texts: FrozenArray<LiteralRef>
  package let kinds: FrozenArray<KindEntry>
  package let schemes: FrozenArray<LiteralRef>
  package let formats: FrozenArray<FormatEntry>
  package let formatVariants: FrozenArray<FormatVariantEntry>
  package let locales: FrozenArray<LocaleEntry>
  /// The tables of locales; nil if no kind depends on its locale.
  package let pack: LocalePack?
  let packBytes: FrozenArray<UInt8>
  package let localeOffers: LocaleOffers
  /// By kind.
  package let sampleTypes: FrozenArray<SampleTypeEntry>
  /// The files that nibs link to, sorted by the bytes of their paths.
  package let assets: FrozenArray<AssetEntry>
  let assetPool: FrozenArray<UInt8>
  /// The address below which these files are found, if it is not this server's.
  package let assetsURL: String?
  /// The hash of the archive's bytes after the header; equal for equal templates, schemes, and types that
  /// the samples show.
  package let contentHash: ContentHash
  /// Rows of samples by kind number, as the items of a JSON list without its brackets. An archive that is read from a file
  /// has none: files keep the types that samples show, and not the samples.
  package let examples: [UInt32: [UInt8]]
  private let index: KindIndex
  private let selection: CellSelection
  private let nearKinds: NearNameIndex
  private let rawKinds: RawKinds
  private let actionLists: ActionLists
  private let rowUses: [RowUses]
  package let overrideIndex: OverrideIndex
  /// The versions of the style sheets of nibs.
  package let styleVersions: StyleVersions
  let assetsURLRows: FrozenArray<LiteralRef>
  /// Whether any name makes a row bad if it is missing, whatever the request says: `data-missing="error"`.
  package let requiresNames: Bool

  /// The archive's hash as sent in `CellFactory-Archive`: 32 hexadecimal digits.
  public var hash: String { contentHash.hex }

  /// The number of kinds.
  public var kindCount: Int { kinds.count }

  /// The names of all kinds, sorted by bytes.
  public var kindNames: [String] { Self.kindNames(kinds, literals) }

  private static func kindNames(
    _ kinds: FrozenArray<KindEntry>, _ literals: FrozenArray<UInt8>
  ) -> [String] {
    (0..<kinds.count).map { number in
      let name = kinds[number].name
      return String(
        decoding: UnsafeRawBufferPointer(start: literals.base + Int(name.offset), count: Int(name.count)),
        as: UTF8.self)
    }
  }

  /// From the compiler's own tables, which need no verification.
  /// - Parameter examples: rows of samples by kind number; see `examples`.
  convenience init(trusted tables: ArchiveTables, examples: [UInt32: [UInt8]] = [:]) {
    self.init(
      tables, contentHash: ArchiveFormat.contentHash(of: ArchiveFormat.encode(tables)), examples: examples)
  }

  /// Reads an archive's bytes.
  /// - Parameter budget: the work that reading may do.
  /// - Throws: `ArchiveError` if the bytes are not an archive, have another version, are truncated or
  ///   altered, or take too long to read.
  package convenience init(decoding bytes: [UInt8], budget: LoadBudget = LoadBudget()) throws(ArchiveError) {
    let tables = try ArchiveFormat.decode(bytes, budget: budget)
    try ArchiveVerifier(tables, budget: budget).verify()
    if let fault = budget.fault { throw .loadLimit(fault.message, hint: fault.hint) }
    self.init(tables, contentHash: ArchiveFormat.contentHash(of: bytes))
  }

  private init(_ tables: ArchiveTables, contentHash: ContentHash, examples: [UInt32: [UInt8]] = [:]) {
    self.examples = examples
    literals = FrozenArray(tables.literals)
    names = FrozenArray(tables.names)
    segments = FrozenArray(tables.segments)
    paths = FrozenArray(tables.paths)
    ops = FrozenArray(tables.ops)
    steps = FrozenArray(Step.steps(of: tables))
    programs = FrozenArray(tables.programs)
    calls = FrozenArray(tables.calls)
    overrides = FrozenArray(tables.overrides)
    blocks = FrozenArray(tables.blocks)
    outlets = FrozenArray(tables.outlets)
    binds = FrozenArray(tables.binds)
    conditions = FrozenArray(tables.conditions)
    conditionLiterals = FrozenArray(tables.conditionLiterals)
    links = FrozenArray(tables.links)
    linksByProgram = FrozenArray(Self.linksByProgram(tables))
    nibs = FrozenArray(tables.nibs)
    parts = FrozenArray(tables.parts)
    texts = FrozenArray(tables.texts)
    kinds = FrozenArray(tables.kinds)
    schemes = FrozenArray(tables.schemes)
    formats = FrozenArray(tables.formats)
    formatVariants = FrozenArray(tables.formatVariants)
    locales = FrozenArray(tables.locales)
    packBytes = FrozenArray(tables.pack)
    pack = tables.pack.isEmpty ? nil : LocalePack(packBytes)
    localeOffers = LocaleOffers(tables.locales, in: pack)
    sampleTypes = FrozenArray(tables.sampleTypes)
    assets = FrozenArray(tables.assets)
    assetPool = FrozenArray(tables.assetBytes)
    assetsURL = tables.assetsURL.first.map { String(decoding: tables.text($0), as: UTF8.self) }
    assetsURLRows = FrozenArray(tables.assetsURL)
    styleVersions = StyleVersions(tables)
    self.contentHash = contentHash
    index = KindIndex(kinds, literals: literals)
    nearKinds = NearNameIndex(Self.kindNames(kinds, literals))
    rawKinds = RawKinds(tables)
    actionLists = ActionLists(tables)
    rowUses = RowUses.ofKinds(of: tables)
    overrideIndex = OverrideIndex(tables.overrides)
    requiresNames = Self.requiresNames(tables)
    selection = CellSelection(kinds: kinds, nibs: nibs, texts: texts, literals: literals)
  }

  private static func requiresNames(_ tables: ArchiveTables) -> Bool {
    let isRequired = { (code: UInt32) in code >= MissingPolicy.Own.error.rawValue }
    let values: Set = [OpCode.value.rawValue, OpCode.bound.rawValue, OpCode.boundBeside.rawValue]
    // An included cell may refuse a value as its row, which only rendering finds.
    if tables.ops.contains(where: { $0.code == OpCode.include.rawValue && $0.b != 0 }) { return true }
    return tables.outlets.contains { isRequired($0.missing) }
      || tables.binds.contains { isRequired($0.missing) }
      || tables.ops.contains { op in
        values.contains(op.code) && op.valueCodes.map { isRequired($0.missing.rawValue) } ?? false
      }
  }

  private static func linksByProgram(_ tables: ArchiveTables) -> [LinkEntry] {
    var links = tables.links
    for kind in tables.kinds {
      links[Int(kind.linkStart)..<Int(kind.linkStart) + Int(kind.linkCount)].sort { $0.program < $1.program }
    }
    return links
  }

  /// The archive as stored in a file.
  package func encoded() -> [UInt8] { ArchiveFormat.encode(tables()) }

  /// A copy of the tables that the archive was made from.
  func tables() -> ArchiveTables {
    var tables = ArchiveTables()
    for table in ArchiveTable.all { table.copy(self, &tables) }
    return tables
  }

  /// The number of a kind: its index in `kinds`. Takes constant time.
  package func kindNumber(_ name: UnsafeRawBufferPointer) -> UInt32? {
    index.find(name, kinds, literals)
  }

  package func kindNumber(_ name: String) -> UInt32? {
    var name = name
    return name.withUTF8 { kindNumber(UnsafeRawBufferPointer($0)) }
  }

  /// The kind that was probably meant by a name that no kind has; nil if none is one edit away.
  package func kind(near name: String) -> String? { nearKinds.nearest(to: name) }

  /// Whether a kind of the archive is a text cell.
  @inline(__always)
  package func isText(_ kind: UInt32) -> Bool { kinds.base[Int(kind)].isText == 1 }

  /// Whether a kind of the archive may print raw values, either itself or through a cell that it calls.
  package func printsRaw(_ kind: UInt32) -> Bool { rawKinds[kind] }

  /// What a kind of the archive reads of its row, either itself or through a cell that it calls.
  package func rowUses(of kind: UInt32) -> RowUses { rowUses[Int(kind)] }

  /// Whether any HTML kind may print raw values.
  package var printsRawHTML: Bool { rawKinds.holdsHTML }

  /// The number of a nib: its index in `nibs`. Takes constant time.
  package func nib(named name: String) -> Int? {
    var name = name
    return name.withUTF8 { selection.nib(named: UnsafeRawBufferPointer($0)) }.map(Int.init)
  }

  /// The first kind of a nib, of a class, or of both, in the order of nibs and of their cells.
  package func firstKind(nib: UnsafeRawBufferPointer?, class cellClass: UnsafeRawBufferPointer?) -> UInt32? {
    selection.first(nib: nib, class: cellClass)
  }

  /// Whether a kind is in the nib and has the class; nil matches any.
  package func kind(
    _ number: UInt32, isIn nib: UnsafeRawBufferPointer?, hasClass cellClass: UnsafeRawBufferPointer?
  ) -> Bool {
    let kind = kinds[Int(number)]
    if let nib, kind.nib == noIndex || !bytes(nibs[Int(kind.nib)].name).elementsEqual(nib) { return false }
    guard let cellClass else { return true }
    return (kind.classStart..<kind.classStart + kind.classCount).contains { place in
      bytes(texts[Int(place)]).elementsEqual(cellClass)
    }
  }

  /// The names of a kind's actions, in template order, each once.
  package func actions(of kind: UInt32) -> [LiteralRef] { actionLists.names(of: kind) }

  /// The parts of a kind in template order.
  package func parts(of kind: KindEntry) -> [PartEntry] {
    (Int(kind.partStart)..<Int(kind.partStart) + Int(kind.partCount)).map { parts[$0] }
  }

  /// The bytes of a literal. Valid as long as the archive exists.
  @inline(__always)
  package func bytes(_ ref: LiteralRef) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: literals.base + Int(ref.offset), count: Int(ref.count))
  }

  package func text(_ ref: LiteralRef) -> String {
    String(decoding: bytes(ref), as: UTF8.self)
  }

  package func texts(from start: UInt32, count: UInt32) -> [String] {
    (Int(start)..<Int(start) + Int(count)).map { text(texts[$0]) }
  }
}
