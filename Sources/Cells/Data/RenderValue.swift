import CellTemplates

/// The result of a name lookup: a node of the row, a value provided by the loop, or nothing.
///
/// One word: the index of a node if the top bit is clear, otherwise a small number or a Boolean.
struct RenderValue: BitwiseCopyable, Equatable {
  let raw: UInt32

  @inline(__always)
  init(node: UInt32) { raw = node }

  /// - Parameter raw: the raw value of another `RenderValue`.
  @inline(__always)
  init(raw: UInt32) { self.raw = raw }

  static let missing = RenderValue(raw: noIndex)

  @inline(__always)
  static func number(_ number: UInt32) -> RenderValue {
    RenderValue(raw: 0x8000_0000 | (number & 0x3FFF_FFFF))
  }

  @inline(__always)
  static func bool(_ value: Bool) -> RenderValue { RenderValue(raw: value ? 0xC000_0001 : 0xC000_0000) }

  /// The tag of the locale in force, and the direction of its script.
  static let locale = RenderValue(raw: 0xD000_0000)
  static let direction = RenderValue(raw: 0xD000_0001)

  /// Whether it is a text of the locale in force.
  var isText: Bool { raw == 0xD000_0000 || raw == 0xD000_0001 }

  /// What stands for the value of an outlet that has none, where the element goes as if it were `null`.
  static let null = RenderValue(raw: 0xD000_0002)

  var isNull: Bool { self == .null }

  @inline(__always)
  var isNode: Bool { raw < 0x8000_0000 }

  @inline(__always)
  var isMissing: Bool { raw == noIndex }

  /// The number, if this is a number provided by a loop.
  var loopNumber: UInt32? { raw >= 0x8000_0000 && raw < 0xC000_0000 ? raw & 0x3FFF_FFFF : nil }

  var isTrue: Bool { raw == 0xC000_0001 }
}
