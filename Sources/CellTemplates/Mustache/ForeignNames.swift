/// Names as other languages write them, which are looked up here as they stand: `items[0]`, `author?.name`, `@key`.
enum ForeignNames {
  /// Longer names are not examined.
  private static let limitBytes = 256

  /// - Parameter written: how a name is written at the place.
  static func lesson(
    for name: MustacheName, _ written: (String) -> String = { "{{\($0)}}" }
  ) -> ForeignSyntax.Lesson? {
    guard name.segments.count <= limitBytes else { return nil }
    let text = name.text
    guard text.utf8.count <= limitBytes, let hint = hint(for: name.segments, text, written) else {
      return nil
    }
    let shown = name.segments[0] == "this" ? "this" : NameRule.shown(text.utf8)
    return ForeignSyntax.Lesson(message: "\"\(shown)\" is read as a name", hint: hint)
  }

  private static func hint(for segments: [String], _ text: String, _ written: (String) -> String) -> String? {
    if segments[0] == "this" {
      let rest = segments.dropFirst().joined(separator: ".")
      return rest.isEmpty
        ? "for the item itself, write \(written("."))"
        : "for a name of the item, write it alone: \(written(NameRule.shown(rest.utf8)))"
    }
    if segments[0] == "@root" {
      return "for the row, write \(written((["@row"] + segments.dropFirst()).joined(separator: ".")))"
    }
    if text == "@key" {
      return "only lists are repeated: send a list of objects with a name for the key; "
        + "an item's place is \(written("@index")), or \(written("@number")) from 1"
    }
    if text.utf8.first == UInt8(ascii: "!") {
      return "a value has no \"!\": write a condition, data-when=\"\(text)\""
    }
    if ["||", "&&", "??"].contains(where: { text.utf8.firstRange(of: $0.utf8) != nil }) {
      return "names have no operators: write an element or a section for each case, or send the outcome"
    }
    let plain = withoutBrackets(text)
      .split(separator: ".", omittingEmptySubsequences: false)
      .map { $0.hasSuffix("?") ? String($0.dropLast()) : String($0) }
    // A question mark at the end may be part of a name.
    let isSame = plain.count == segments.count && plain.dropLast().elementsEqual(segments.dropLast())
    if isSame || plain.contains("") { return nil }
    return "write items and members with dots: \(written(plain.joined(separator: "."))); "
      + "what is missing on the way is no error"
  }

  /// `a.0.b` for `a[0]['b']`; the text itself if it has brackets of another form.
  private static func withoutBrackets(_ text: String) -> String {
    var plain: [UInt8] = []
    var rest = text.utf8[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "[")) {
      guard let close = rest[open...].firstIndex(of: UInt8(ascii: "]")),
        open > rest.startIndex || !plain.isEmpty
      else { return text }
      let inner = rest[rest.index(after: open)..<close].filter {
        $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "\"")
      }
      if inner.isEmpty { return text }
      plain += Array(rest[..<open]) + [UInt8(ascii: ".")] + inner
      rest = rest[rest.index(after: close)...]
    }
    return String(decoding: plain + Array(rest), as: UTF8.self)
  }
}
