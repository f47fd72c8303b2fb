import CellTemplates
import Cells

/// Writes the style sheet that imports those of nibs.
enum StyleList {
  /// Appends an `@import` for each nib with styles, in the order of the folder.
  /// - Parameters:
  ///   - kinds: only the nibs of these kinds, and of those that they call by name; nil for all nibs.
  ///   - scope: passed on to the sheets.
  static func append(
    _ kinds: [UInt32]?, scope: String?, of archive: CellArchive, to output: inout ByteBuffer,
    _ goesOn: (inout ByteBuffer) -> Bool
  ) {
    let drawn = kinds.map { nibs(of: $0, in: archive) }
    for nib in 0..<archive.tables.$nibs.count where drawn?.contains(UInt32(nib)) ?? true {
      guard let version = archive.styleVersions.version(ofNib: nib) else { continue }
      // Relative, so that a proxy may serve both below another path.
      var url = "\(path(ofNib: nib, in: archive).dropFirst())?v=\(version)"
      if let scope { url += "&scope=\(PercentEncoding.encoded(scope))" }
      output.append(NibStyles.importing(url))
      if !goesOn(&output) { return }
    }
  }

  /// The address of a nib's style sheet.
  static func path(ofNib nib: Int, in archive: CellArchive) -> String {
    "/styles/\(PercentEncoding.encoded(archive.text(archive.tables.$nibs[nib].name))).css"
  }

  /// The nibs of kinds, and of the kinds that these call by name, directly or indirectly.
  private static func nibs(of kinds: [UInt32], in archive: CellArchive) -> Set<UInt32> {
    var seen = Set(kinds)
    var waiting = kinds
    var nibs: Set<UInt32> = []
    while let number = waiting.popLast() {
      let kind = archive.entry(ofKind: number)
      if kind.nib != noIndex { nibs.insert(kind.nib) }
      for position in kind.partialStart..<kind.partialStart + kind.partialCount {
        if let called = archive.kindNumber(archive.bytes(archive.tables.$texts[Int(position)])),
          seen.insert(called).inserted
        {
          waiting.append(called)
        }
      }
    }
    return nibs
  }
}
