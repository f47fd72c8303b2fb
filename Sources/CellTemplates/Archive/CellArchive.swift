import Glibc

/// All cells in compiled form, by kind. Immutable and shared by all threads.
///
/// Created by `TemplateCompiler` from templates, or read from a file. Both give the same archive with the
/// same `hash`. `ArchiveFormat` describes the file.
public final class CellArchive: Sendable {
  /// In the form in which they are used: `tables.$kinds`.
  package let tables: ArchiveTables
  /// The operations in the form in which they run, one for each of `tables.$ops`.
  package let steps: FrozenArray<Step>
  /// The entries of `tables.$links`, each kind's sorted by program, so that calls find theirs in logarithmic time.
  package let linksByProgram: FrozenArray<LinkEntry>
  /// The tables of locales; nil if no kind depends on its locale.
  package let pack: LocalePack?
  package let localeOffers: LocaleOffers
  /// The address below which the files that nibs link to are found, if it is not this server's.
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
  /// Whether any name makes a row bad if it is missing, whatever the request says: `data-missing="error"`.
  package let requiresNames: Bool
  /// The most slots that a program needs.
  package let largestSlotCount: Int

  /// The archive's hash as sent in `CellFactory-Archive`: 32 hexadecimal digits.
  public var hash: String { contentHash.hex }

  /// The number of kinds.
  public var kindCount: Int { tables.$kinds.count }

  /// The names of all kinds, sorted by bytes.
  public var kindNames: [String] { Self.kindNames(tables) }

  private static func kindNames(_ tables: ArchiveTables) -> [String] {
    let (kinds, literals) = (tables.$kinds, tables.$literals)
    return (0..<kinds.count).map { number in
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
  /// - Throws: `ArchiveError` if the bytes are not an archive, are of another release, are truncated or
  ///   altered, or take too long to read.
  package convenience init(decoding bytes: [UInt8], budget: LoadBudget = LoadBudget()) throws(ArchiveError) {
    let tables = try ArchiveFormat.decode(bytes, budget: budget)
    try ArchiveVerifier(tables, budget: budget).verify()
    if let fault = budget.fault { throw .loadLimit(fault.message, hint: fault.hint) }
    self.init(tables, contentHash: ArchiveFormat.contentHash(of: bytes))
  }

  private init(_ tables: ArchiveTables, contentHash: ContentHash, examples: [UInt32: [UInt8]] = [:]) {
    let frozen = tables.frozen()
    self.tables = frozen
    self.contentHash = contentHash
    self.examples = examples
    steps = FrozenArray(Step.steps(of: tables))
    linksByProgram = FrozenArray(Self.linksByProgram(tables))
    pack = tables.pack.isEmpty ? nil : LocalePack(frozen.$pack)
    localeOffers = LocaleOffers(tables.locales, in: pack)
    assetsURL = tables.assetsURL.first.map { String(decoding: tables.text($0), as: UTF8.self) }
    styleVersions = StyleVersions(tables)
    index = KindIndex(frozen.$kinds, literals: frozen.$literals)
    nearKinds = NearNameIndex(Self.kindNames(frozen))
    rawKinds = RawKinds(tables)
    actionLists = ActionLists(tables)
    rowUses = RowUses.ofKinds(of: tables)
    overrideIndex = OverrideIndex(tables.overrides)
    requiresNames = Self.requiresNames(tables)
    largestSlotCount = tables.programs.reduce(0) { max($0, Int($1.slotCount)) }
    selection = CellSelection(
      kinds: frozen.$kinds, nibs: frozen.$nibs, texts: frozen.$texts, literals: frozen.$literals)
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
  package func encoded() -> [UInt8] { ArchiveFormat.encode(tables) }

  /// The number of a kind: its index in `tables.$kinds`. Takes constant time.
  package func kindNumber(_ name: UnsafeRawBufferPointer) -> UInt32? {
    index.find(name, tables.$kinds, tables.$literals)
  }

  package func kindNumber(_ name: String) -> UInt32? {
    var name = name
    return name.withUTF8 { kindNumber(UnsafeRawBufferPointer($0)) }
  }

  /// The kind that was probably meant by a name that no kind has; nil if none is one edit away.
  package func kind(near name: String) -> String? { nearKinds.nearest(to: name) }

  package func entry(ofKind kind: UInt32) -> KindEntry { tables.$kinds[Int(kind)] }

  /// The name of a kind. Valid as long as the archive exists.
  package func name(ofKind kind: UInt32) -> UnsafeRawBufferPointer {
    bytes(tables.$kinds.base[Int(kind)].name)
  }

  /// The name of a kind's nib; nil if it is in none. Valid as long as the archive exists.
  package func nibName(of kind: KindEntry) -> UnsafeRawBufferPointer? {
    kind.nib == noIndex ? nil : bytes(tables.$nibs[Int(kind.nib)].name)
  }

  /// The first class of a kind; nil if it has none. Valid as long as the archive exists.
  package func firstClass(of kind: KindEntry) -> UnsafeRawBufferPointer? {
    kind.classCount == 0 ? nil : bytes(tables.$texts[Int(kind.classStart)])
  }

  /// Whether a kind of the archive is a text cell.
  @inline(__always)
  package func isText(_ kind: UInt32) -> Bool { tables.$kinds.base[Int(kind)].isText == 1 }

  /// Whether a kind of the archive may print raw values, either itself or through a cell that it calls.
  package func printsRaw(_ kind: UInt32) -> Bool { rawKinds[kind] }

  /// What a kind of the archive reads of its row, either itself or through a cell that it calls.
  package func rowUses(of kind: UInt32) -> RowUses { rowUses[Int(kind)] }

  /// Whether any HTML kind may print raw values.
  package var printsRawHTML: Bool { rawKinds.holdsHTML }

  /// The number of a nib: its index in `tables.$nibs`. Takes constant time.
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
    let kind = tables.$kinds[Int(number)]
    if let nib, nibName(of: kind)?.elementsEqual(nib) != true { return false }
    guard let cellClass else { return true }
    return (kind.classStart..<kind.classStart + kind.classCount).contains { position in
      // They may be long, and nearly the same.
      let name = bytes(tables.$texts[Int(position)])
      guard name.count == cellClass.count else { return false }
      return name.isEmpty || memcmp(name.baseAddress!, cellClass.baseAddress!, name.count) == 0
    }
  }

  /// The names of a kind's actions, in template order, each once.
  package func actions(of kind: UInt32) -> [LiteralRef] { actionLists.names(of: kind) }

  /// The parts of a kind in template order.
  package func parts(of kind: KindEntry) -> [PartEntry] {
    let parts = tables.$parts
    return (Int(kind.partStart)..<Int(kind.partStart) + Int(kind.partCount)).map { parts[$0] }
  }

  /// The bytes of a literal. Valid as long as the archive exists.
  @inline(__always)
  package func bytes(_ ref: LiteralRef) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: tables.$literals.base + Int(ref.offset), count: Int(ref.count))
  }

  package func text(_ ref: LiteralRef) -> String {
    String(decoding: bytes(ref), as: UTF8.self)
  }

  package func texts(from start: UInt32, count: UInt32) -> [String] {
    (Int(start)..<Int(start) + Int(count)).map { text(tables.$texts[$0]) }
  }
}
