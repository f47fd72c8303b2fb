import CellTemplates

/// What a name found while a cell is rendered: a node of the row, a value the loop itself gives, or nothing.
///
/// One word: the index of a node where the top bit is clear, else a small number or truth value.
struct RenderValue: BitwiseCopyable, Equatable {
  let raw: UInt32

  @inline(__always)
  init(node: UInt32) { raw = node }

  /// - Parameter raw: that of another value.
  @inline(__always)
  init(raw: UInt32) { self.raw = raw }

  static let missing = RenderValue(raw: noIndex)

  @inline(__always)
  static func number(_ number: UInt32) -> RenderValue {
    RenderValue(raw: 0x8000_0000 | (number & 0x3FFF_FFFF))
  }

  @inline(__always)
  static func bool(_ value: Bool) -> RenderValue { RenderValue(raw: value ? 0xC000_0001 : 0xC000_0000) }

  @inline(__always)
  var isNode: Bool { raw < 0x8000_0000 }

  @inline(__always)
  var isMissing: Bool { raw == noIndex }

  /// The number, where this is a number that the loop gives.
  var loopNumber: UInt32? { raw >= 0x8000_0000 && raw < 0xC000_0000 ? raw & 0x3FFF_FFFF : nil }

  var isTrue: Bool { raw == 0xC000_0001 }
}
