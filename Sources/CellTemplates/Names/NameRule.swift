/// The rules for names. Names of data, blocks, kinds, classes, actions, nibs, elements and attributes contain
/// no control characters. Except for data, whose paths may be long, they have at most 1024 bytes.
package enum NameRule {
  static let limitBytes = 1024
  /// How much of a name a message quotes, because one name may be quoted in as many messages as a file has
  /// tags.
  private static let shownBytes = 80

  /// Why the text is not a valid name, as the end of a sentence that starts with the name; nil if it is
  /// valid.
  static func fault(in name: some Collection<UInt8>) -> String? {
    if name.count > limitBytes { return "is longer than \(limitBytes) bytes" }
    return holdsControl(name) ? "contains a control character" : nil
  }

  /// Whether UTF-8 text contains a C0 or C1 control character or DEL.
  static func holdsControl(_ text: some Sequence<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for byte in text {
      if isControl(byte, after: previous) { return true }
      previous = byte
    }
    return false
  }

  private static func isControl(_ byte: UInt8, after previous: UInt8) -> Bool {
    // C1 is U+0080 to U+009F: C2 80 to C2 9F.
    byte < 0x20 || byte == 0x7F || (previous == 0xC2 && byte >= 0x80 && byte < 0xA0)
  }

  /// The name with U+FFFD for each control character.
  package static func withoutControls(_ name: String) -> String {
    if !holdsControl(name.utf8) { return name }
    var result = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      result.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }

  /// The name as shown in messages: shortened, without control characters.
  package static func shown(_ name: some Collection<UInt8>) -> String {
    let text = withoutControls(String(decoding: name.prefix(shownBytes), as: UTF8.self))
    return name.count > shownBytes ? text + "…" : text
  }
}
