/// Collects an archive's tables, with each text, name and path once. One for each compilation, shared by its
/// writers.
final class TableBuilder {
  var tables = ArchiveTables()
  private var literalRefs: [[UInt8]: LiteralRef] = [:]
  private var nameIDs: [[UInt8]: UInt32] = [:]
  private var pathIDs: [MustacheName: UInt32] = [:]
  private var formatIDs: [WrittenFormat: UInt32] = [:]

  init() {
    for name in RequestName.all { _ = self.name(name) }
  }

  func literal(_ bytes: [UInt8]) -> LiteralRef {
    if bytes.isEmpty { return .empty }
    if let known = literalRefs[bytes] { return known }
    let ref = LiteralRef(offset: UInt32(tables.literals.count), count: UInt32(bytes.count))
    tables.literals += bytes
    literalRefs[bytes] = ref
    return ref
  }

  func literal(_ text: String) -> LiteralRef { literal(Array(text.utf8)) }

  func name(_ text: String) -> UInt32 {
    let bytes = Array(text.utf8)
    if let known = nameIDs[bytes] { return known }
    let id = UInt32(tables.names.count)
    tables.names.append(NameEntry(text: literal(bytes), listIndex: NameEntry.listIndex(of: bytes)))
    nameIDs[bytes] = id
    return id
  }

  func path(_ name: MustacheName) -> UInt32 {
    if let known = pathIDs[name] { return known }
    var entry = PathEntry(
      root: PathEntry.Root(of: name).rawValue, name: noIndex, segmentStart: UInt32(tables.segments.count),
      segmentCount: 0,
      text: literal(name.text))
    if entry.root == PathEntry.Root.name.rawValue { entry.name = self.name(name.segments[0]) }
    if !name.isItem {
      for segment in name.segments.dropFirst() {
        let id = self.name(segment)
        tables.segments.append(id)
        entry.segmentCount += 1
      }
    }
    let id = UInt32(tables.paths.count)
    tables.paths.append(entry)
    pathIDs[name] = id
    return id
  }

  /// The number of a format, `noIndex` for none. Beyond `FormatEntry.limit` they are counted only: the archive is refused.
  func format(_ format: WrittenFormat?) -> UInt32 {
    guard let format else { return noIndex }
    if let known = formatIDs[format] { return known }
    if tables.formats.count > FormatEntry.limit { return 0 }
    var variants: [FormatVariantEntry] = []
    for variant in format.variants {
      variants.append(
        FormatVariantEntry(locale: literal(variant.locale), format: self.format(variant.format)))
    }
    var entry = FormatEntry(
      kind: format.kind.rawValue, length: format.length.rawValue, marks: format.marks.rawValue,
      leastDigits: format.digits?.lowerBound ?? noIndex, mostDigits: format.digits?.upperBound ?? noIndex,
      characters: format.characters, currency: 0, currencyPath: noIndex, text: literal(format.text),
      variantStart: UInt32(tables.formatVariants.count), variantCount: UInt32(variants.count))
    switch format.currency {
    case .code(let letters): entry.currency = letters.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    case .name(let segments): entry.currencyPath = path(MustacheName(segments: segments))
    case nil: break
    }
    tables.formatVariants += variants
    tables.formats.append(entry)
    let id = UInt32(tables.formats.count - 1)
    formatIDs[format] = id
    return id
  }
}
