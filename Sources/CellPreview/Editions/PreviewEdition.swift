import CellServer
package import CellTemplates
import Cells

/// Everything that the preview shows of one load of a templates folder: an archive, the nibs around its cells, sample rows,
/// and the files that nibs link to. Immutable.
package final class PreviewEdition: Sendable {
  package let archive: CellArchive
  /// Changes whenever a page may look different.
  let hash: String
  /// In the order of their files, then as drawn.
  let kinds: [PreviewKind]
  let nibs: [ExactString: NibPage]
  let files: [ExactString: StoredFile]
  private let positions: [String: Int]

  /// Reads the folder again, with what archives do not hold.
  /// - Parameters:
  ///   - archive: what was compiled from the folder.
  ///   - path: the folder.
  ///   - budget: the work that reading may do.
  /// - Throws: an error if a file cannot be read.
  package init(of archive: CellArchive, in path: String, budget: LoadBudget) throws(TemplateErrors) {
    self.archive = archive
    let folder = try TemplateFolder.read(path, budget: budget)
    // What the archive holds, and images that are embedded in cells.
    var options = AssetOptions()
    options.limitBytes += archive.assetBytes
    var collector = AssetCollector(from: folder.assets(options), takesEmbedded: true, budget: budget)
    var nibs: [ExactString: NibPage] = [:]
    var samples: [String: [UInt8]] = [:]
    var kinds: [PreviewKind] = []
    var hasher = ContentHasher()
    for sample in folder.samples { samples[sample.kind] = sample.bytes }
    for nib in folder.nibs {
      let page = NibPage(nib, budget: budget)
      nibs[ExactString(nib.kind)] = page
      collector.add(nib)
      let drawing = ContentHash(of: nib.bytes)
      for cell in page.cells {
        guard let number = archive.kindNumber(cell.kind) else { continue }
        kinds.append(
          Self.kind(
            number, of: archive, samples[cell.kind] ?? [], Drawing(nib: nib, hash: drawing, cell: cell)))
      }
    }
    for source in folder.sources {
      guard let number = archive.kindNumber(source.kind) else { continue }
      kinds.append(Self.kind(number, of: archive, samples[source.kind] ?? [], file: source.file))
    }
    if let fault = budget.fault { throw TemplateErrors([fault]) }
    // Style sheets and images may change every page.
    for file in collector.assets.sorted(by: { ExactString($0.path) < ExactString($1.path) }) {
      hasher.append(file.path)
      hasher.append(file.hash.hex)
    }
    filesHash = hasher.hash.hex
    hasher.append(archive.hash)
    for kind in kinds { hasher.append(kind.fingerprint) }
    hash = hasher.hash.hex
    self.kinds = kinds
    self.nibs = nibs
    files = Dictionary(
      collector.assets.map { (ExactString($0.path), StoredFile($0)) }, uniquingKeysWith: { first, _ in first }
    )
    positions = Dictionary(zip(kinds.map(\.name), kinds.indices)) { first, _ in first }
  }

  /// What there is to show of an archive whose folder has never been readable: no cells.
  init(withoutCellsOf archive: CellArchive) {
    self.archive = archive
    (kinds, nibs, files, positions) = ([], [:], [:], [:])
    (hash, filesHash) = ("", "")
  }

  /// The hash of everything besides kinds.
  private let filesHash: String

  func kind(named name: String) -> PreviewKind? { positions[name].map { kinds[$0] } }

  /// The names of the kinds that look different than in an earlier edition, or are new.
  func changes(since earlier: PreviewEdition) -> [String] {
    kinds.filter { kind in
      filesHash != earlier.filesHash || earlier.kind(named: kind.name)?.fingerprint != kind.fingerprint
    }.map(\.name)
  }

  /// Where a cell is drawn.
  private struct Drawing {
    let nib: TemplateSource
    let hash: ContentHash
    let cell: NibPage.Cell
  }

  /// - Parameter file: of a cell that is not drawn.
  private static func kind(
    _ number: UInt32, of archive: CellArchive, _ sample: [UInt8], _ drawing: Drawing? = nil, file: String = ""
  ) -> PreviewKind {
    var hasher = ContentHasher()
    // The version covers the cell and those it calls.
    hasher.append(archive.entry(ofKind: number).version.hex)
    sample.withUnsafeBytes { hasher.append($0) }
    if let drawing { hasher.append(drawing.hash.hex) }
    return PreviewKind(
      name: archive.text(archive.entry(ofKind: number).name), number: number,
      isText: archive.isText(number),
      nib: drawing?.nib.kind, file: drawing?.nib.file ?? file,
      line: drawing?.cell.line ?? 1, cell: drawing?.cell, rows: SampleRow.rows(of: sample),
      fingerprint: hasher.hash.hex)
  }
}

extension ContentHasher {
  fileprivate mutating func append(_ text: String) {
    Array(text.utf8).withUnsafeBytes { append($0) }
  }
}
