/// The state of parsing a selector: whether a value continues a static name of an id or a class. Anywhere else it could name
/// any element.
struct SelectorContext: Hashable {
  private enum Place {
    case anywhere
    /// Right behind `#` or `.`.
    case sign
    case name
  }

  private var place = Place.anywhere

  mutating func feed(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "#"), UInt8(ascii: "."): place = .sign
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "_"), 0x80...:
      if place == .sign { place = .name }
    default: place = .anywhere
    }
  }

  /// Whether a row's value may stand here.
  var isInName: Bool { place == .name }

  /// Called where the owner has said a part.
  mutating func becomeUnknown() { place = .anywhere }

  /// Called where a part that is not always present starts or ends.
  mutating func branch() { if place == .sign { place = .anywhere } }

  func joined(with other: SelectorContext) -> SelectorContext {
    self == other ? self : SelectorContext()
  }
}
