/// Links to files of the templates folder that another server has: `--assets-url`.
extension NibElements {
  /// The attributes whose links lead elsewhere, with their new text, by name.
  func movedLinks(_ tag: StartTag) -> [ExactString: [UInt8]] {
    guard let links, let cell = source.cell else { return [:] }
    var moved: [ExactString: [UInt8]] = [:]
    for attribute in tag.attributes where attribute.isUnconditional {
      guard let text = attribute.text.map({ String(decoding: $0, as: UTF8.self) }) else { continue }
      let own = { (reference: String) -> String? in
        let plain = reference.prefix { $0 != "?" && $0 != "#" }
        guard let path = try? NibFiles.path(of: String(plain), in: cell.nib), links.version(path) != nil
        else { return nil }
        return links.url(of: reference, from: cell.nib)
      }
      let value: String? =
        switch attribute.name.text {
        case "src", "poster", "background": own(text)
        case "href", "xlink:href": ["a", "area", "base"].contains(tag.name.text) ? nil : own(text)
        case "srcset", "imagesrcset": SourceSetLinks.replacing(in: text, own)
        case "style": StyleText.linking(text, own)
        default: nil
        }
      guard let value, value != text else { continue }
      moved[attribute.name] =
        Array("\(attribute.name.text)=\"".utf8) + Self.escaped(value) + [UInt8(ascii: "\"")]
    }
    return moved
  }

  private static func escaped(_ text: String) -> [UInt8] {
    text.utf8.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "&"): Array("&amp;".utf8)
      case UInt8(ascii: "\""): Array("&quot;".utf8)
      case UInt8(ascii: "<"): Array("&lt;".utf8)
      default: [byte]
      }
    }
  }
}
