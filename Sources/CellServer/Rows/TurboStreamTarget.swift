/// The target of a Turbo Stream, ready to be written as an attribute with the ids of rows in it.
struct TurboStreamTarget: Sendable {
  /// Whether it is a selector, `targets`, and not the id of an element.
  let isSelector: Bool
  /// The texts around the ids, escaped for an attribute in double quotes.
  private let pieces: [[UInt8]]

  /// Cost: linear in the text.
  init(_ text: some Collection<UInt8>, isSelector: Bool) {
    self.isSelector = isSelector
    var pieces: [[UInt8]] = []
    var rest = text[...]
    while let mark = TurboStreamControls.idRange(in: rest) {
      pieces.append(Self.escaped(rest[..<mark.lowerBound]))
      rest = rest[mark.upperBound...]
    }
    self.pieces = pieces + [Self.escaped(rest)]
  }

  /// The target that a query names; nil if it names none.
  init?(_ controls: TurboStreamControls) {
    guard let text = controls.target ?? controls.targets else { return nil }
    self.init(text.utf8, isSelector: controls.target == nil)
  }

  /// Whether each row goes to a place of its own.
  var needsID: Bool { pieces.count > 1 }

  /// The value of the attribute.
  /// - Parameter id: of the row, if the target needs one.
  func value(id: UnsafeRawBufferPointer?) -> [UInt8] {
    guard let id, needsID else { return pieces[0] }
    let text = isSelector ? Self.escaped(CSSIdentifier.escaped(id)) : Self.escaped(id)
    return Array(pieces.joined(separator: text))
  }

  /// A text as it is written in a value in double quotes.
  private static func escaped(_ text: some Collection<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    for byte in text {
      switch byte {
      case 0: output += "\u{FFFD}".utf8
      case UInt8(ascii: "\r"): output += "&#13;".utf8
      case UInt8(ascii: "&"): output += "&amp;".utf8
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case UInt8(ascii: ">"): output += "&gt;".utf8
      case UInt8(ascii: "\""): output += "&quot;".utf8
      case UInt8(ascii: "'"): output += "&#39;".utf8
      default: output.append(byte)
      }
    }
    return output
  }
}
