/// Images that a nib embeds.
extension NibElements {
  /// The data URI of an image that the element embeds.
  func embed(_ tag: StartTag, _ report: (Refusal, Int) -> Void) -> [UInt8]? {
    images[tag.at] = nil
    guard let attribute = tag.attribute("data-embed") else { return nil }
    guard tag.name == "img", let src = tag.attribute("src"), src.isUnconditional, let text = src.text else {
      report(
        Refusal(
          .invalidImage, "data-embed requires an <img> whose src is a local file",
          hint: "write <img data-embed src=\"star.svg\">"), attribute.at)
      return nil
    }
    let reference = String(decoding: text, as: UTF8.self)
    do throws(NibFiles.Fault) {
      guard let cell = source.cell, let path = try NibFiles.path(of: reference, in: cell.nib) else {
        report(
          Refusal(
            .invalidImage, "\"\(reference)\" is not a local file",
            hint: "write the path of a file next to the nib: src=\"images/star.svg\""), src.at)
        return nil
      }
      let bytes = try settings.files.read(path)
      if bytes.count > NibFiles.limitBytes { throw .tooLarge }
      guard let uri = EmbeddedImage.dataURI(of: bytes) else {
        report(
          Refusal(
            .invalidImage, "\"\(reference)\" is not an image", hint: "embed SVG, PNG, JPEG, GIF, WebP or AVIF"
          ),
          src.at)
        return nil
      }
      guard budget.keep(imageBytes: uri.count) else { return nil }
      images[tag.at] = uri
      noted.append(tag.at)
      return uri
    } catch {
      report(Self.refusal(error, reference), src.at)
      return nil
    }
  }

  static func refusal(_ fault: NibFiles.Fault, _ reference: String) -> Refusal {
    switch fault {
    case .missing:
      Refusal(
        .invalidImage, "the image \"\(reference)\" does not exist",
        hint: "put the file next to the nib, or fix its name")
    case .outside:
      Refusal(
        .outsideFolder, "the image \"\(reference)\" is outside the templates folder",
        hint: "put the file itself into the folder")
    case .tooLarge:
      Refusal(
        .invalidImage, "the image \"\(reference)\" is larger than \(NibFiles.limitBytes >> 10) KiB",
        hint: "make it smaller, or serve it as a file and remove data-embed")
    case .unreadable(let reason):
      Refusal(.invalidImage, "the image \"\(reference)\" cannot be read: \(reason)", hint: "fix the file")
    }
  }
}
