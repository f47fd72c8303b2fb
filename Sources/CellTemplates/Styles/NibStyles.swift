/// The style sheet of a nib: its stylesheet links, then its `<style>` elements, as one file.
package struct NibStyles {
  private var imports: [UInt8] = []
  private var rules: [UInt8] = []

  /// The most bytes of a sheet. Sheets are made whole, and whoever asks for one decides when.
  package static let limitBytes = 4 << 20

  /// Cost: linear in the styles of the nib.
  /// - Parameter nib: its number in the archive.
  /// - Returns: nil if the sheet has more than `limitBytes`.
  package init?(of nib: Int, in archive: CellArchive) {
    let entry = archive.tables.$nibs[nib]
    let name = archive.text(entry.name)
    let links = archive.assetLinks
    var ownImports: [UInt8] = []
    let styles = (0..<Int(entry.styleCount)).map {
      archive.bytes(archive.tables.$texts[Int(entry.styleStart) + $0])
    }
    for style in styles {
      let element = StyleElement(style)
      guard element.isApplied else { continue }
      if element.isLink {
        guard let href = element.attributes["href"], !href.isEmpty else { continue }
        imports += StyleText.importing(links.url(of: href, from: name) ?? href, element.media)
      } else {
        let text = StyleText(element.content, media: element.media, limitBytes: Self.limitBytes) {
          links.url(of: $0, from: name)
        }
        ownImports += text.imports
        rules += text.rules
        if let last = rules.last, last != UInt8(ascii: "\n") { rules.append(UInt8(ascii: "\n")) }
      }
      if imports.count + ownImports.count + rules.count > Self.limitBytes { return nil }
    }
    imports += ownImports
  }

  /// The sheet.
  /// - Parameter scope: a selector without `ScopeSelector.fault`; the rules then hold only within such elements. `@import`s
  ///   cannot be scoped.
  package func sheet(scope: String?) -> [UInt8] {
    guard let scope else { return imports + rules }
    return imports + Array("@scope (\(scope)) {\n".utf8) + rules + Array("}\n".utf8)
  }

  /// `@import` of another style sheet of this server.
  package static func importing(_ url: String) -> [UInt8] { StyleText.importing(url, .all) }
}
