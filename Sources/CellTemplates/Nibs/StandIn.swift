/// Elements with `data-include`: drawn stand-ins for other cells.
enum StandIn {
  /// - Throws: if the text names no cell.
  static func target(_ text: [UInt8]) throws(Refusal) -> MustacheCall.Target {
    if text.first == UInt8(ascii: "*") {
      guard let path = NibPath.name(text.dropFirst()) else { throw refusal(text) }
      return .dynamic(path)
    }
    let kind = String(decoding: text, as: UTF8.self)
    guard KindName.isValid(kind) else { throw refusal(text) }
    return .kind(kind)
  }

  private static func refusal(_ text: [UInt8]) -> Refusal {
    Refusal(
      .invalidKind, "\"\(NameRule.shown(text))\" names no cell",
      hint: "write the kind of a cell, or * and the name of a value that is one: data-include=\"byline\"")
  }
}

extension NibElements {
  func standIn(for tag: StartTag) -> MustacheCall.Target? {
    guard !tag.has("data-design"), let text = tag.attribute("data-include")?.text else { return nil }
    // An invalid one was reported.
    return try? StandIn.target(text)
  }

  /// Reports what may not stand on a stand-in.
  func checkStandIn(_ tag: StartTag, _ report: (Refusal, Int) -> Void) {
    guard let include = tag.attribute("data-include"), let text = include.text else { return }
    do throws(Refusal) { _ = try StandIn.target(text) } catch { report(error, include.at) }
    if isRoot(tag) {
      report(
        Refusal(
          .misplacedAttribute, "the cell itself cannot be a stand-in for another",
          hint: "put data-include on an element inside it"), include.at)
    }
    if let outlet = tag.attribute("data-outlet"), let path = outlet.text.flatMap({ NibPath.name($0) }),
      path.segments[0] != "@row", AtNames.contains(path.segments[0].utf8)
    {
      report(
        Refusal(
          .misplacedAttribute, "\"\(path.text)\" is no value of the data, and cannot be a row",
          hint: "name a value that is the row of the cell: data-outlet=\"author\""), outlet.at)
    }
    for attribute in tag.attributes
    where ["data-tag", "data-bind", "data-embed", "data-action", "data-format", "data-plural"].contains(
      attribute.name)
    {
      report(
        Refusal(
          .misplacedAttribute, "\(attribute.name) does nothing beside data-include",
          hint: "with it, only data-outlet, data-when and data-missing are allowed"), attribute.at)
    }
  }
}
