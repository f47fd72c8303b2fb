/// The files that nibs link to.
extension TemplateCompiler {
  /// Where the links in cells lead; nil if they stay as written.
  static func links(to assets: [Asset], at url: String?) -> AssetLinks? {
    guard let url else { return nil }
    let versions = Dictionary(
      assets.map { (ExactString($0.path), $0.hash.hex) }, uniquingKeysWith: { first, _ in first })
    return AssetLinks(base: url) { versions[ExactString($0)] }
  }

  /// Adds the files to the tables, sorted by the bytes of their paths.
  func add(_ assets: [Asset], _ url: String?, to tables: inout ArchiveTables) {
    let sorted = assets.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    tables.assetBytes.reserveCapacity(sorted.reduce(0) { $0 + $1.bytes.count })
    for asset in sorted {
      tables.assets.append(
        AssetEntry(
          path: builder.literal(asset.path), type: asset.type, start: UInt32(tables.assetBytes.count),
          count: UInt32(asset.bytes.count), hash: asset.hash))
      tables.assetBytes += asset.bytes
    }
    if let url { tables.assetsURL = [builder.literal(url)] }
    tables.literals = builder.tables.literals
  }
}
