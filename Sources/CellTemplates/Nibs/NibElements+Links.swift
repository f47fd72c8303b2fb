/// Links to files of the templates folder that another server has: `--assets-url`.
extension NibElements {
  func moved(_ text: [UInt8], of attribute: ExactString, on element: ExactString) -> [UInt8]? {
    if links == nil { return nil }
    let text = String(decoding: text, as: UTF8.self)
    let value: String? =
      switch attribute.text {
      case "src", "poster", "background": url(of: text)
      case "href", "xlink:href": ["a", "area", "base"].contains(element.text) ? nil : url(of: text)
      case "srcset", "imagesrcset": SourceSetLinks.replacing(in: text, url)
      case "style": StyleText.linking(text, url)
      default: nil
      }
    return value == nil || value == text ? nil : value.map { Array($0.utf8) }
  }

  /// Makes the links of a `<style>` lead elsewhere. One that is not static as a whole stays as written: its links may be put
  /// together.
  /// - Parameters:
  ///   - start: where its content starts in the list.
  ///   - end: where it ends.
  func moveLinks(inStyle start: Int, to end: inout Int, of nodes: inout [CellNode]) {
    if links == nil { return }
    var written: [UInt8] = []
    for node in nodes[start..<end] {
      switch node {
      case .literal(let bytes): written += bytes
      case .lineStart: continue
      default: return
      }
    }
    // The text of an element must not end it, whatever its escapes mean.
    let moved = StyleText.linking(String(decoding: written, as: UTF8.self)) { [self] reference in
      url(of: reference)?.replacing("<", with: "%3C")
    }
    if moved.utf8.elementsEqual(written) || !budget.keep(literalBytes: moved.utf8.count) { return }
    nodes.replaceSubrange(start..<end, with: [.literal(Array(moved.utf8))])
    end = start + 1
  }

  /// The new address for a reference to a file of the folder; nil if it stays as it is.
  private func url(of reference: String) -> String? {
    guard let links, let cell = source.cell else { return nil }
    let plain = reference.prefix { $0 != "?" && $0 != "#" }
    guard let path = try? NibFiles.path(of: String(plain), in: cell.nib), links.version(path) != nil
    else { return nil }
    return links.url(of: reference, from: cell.nib)
  }
}
