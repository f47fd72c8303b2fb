import CellTemplates

/// The memory a renderer works on: one for each factory, used again for every row.
///
/// Its arrays grow to what the deepest row needed, which nesting and partial depth bound.
struct RenderStack: ~Copyable {
  /// A context: what a section pushed, or the row at the bottom.
  struct Frame {
    var value: RenderValue
    /// The place in the list, from 0; `noIndex` where the section runs over no list.
    var index: UInt32
    var count: UInt32
  }

  /// Where to go on when a program or an override's body ends.
  struct Call {
    var returnOp: UInt32
    var slotBase: UInt32
    var indentStart: Int
    var indentCount: Int
    var indentBytes: Int
    var overrides: Int
    var overridesCount: Int
    var skipsLineStart: Bool
    /// 1 for a partial or parent, 0 for an override's body.
    var level: Int
  }

  /// The overrides of one parent tag, with the overrides around it.
  struct Overrides {
    var start: UInt32
    var count: UInt32
    /// The hint slots of the program the bodies belong to.
    var slotBase: UInt32
    /// The place of the overrides around these; -1: none.
    var outer: Int
  }

  var frames: [Frame] = []
  var calls: [Call] = []
  var overrides: [Overrides] = []
  /// The bytes of every indentation in force, one after another.
  var indentation: [UInt8] = []
  /// Objects and lists that are printed, as JSON, before they are escaped.
  var scratch = ByteBuffer()
  /// Names that found nothing: the first of them, and how many in all.
  var missing: [MissingName] = []
  var missingCount = 0

  static let missingLimit = 100

  mutating func reset() {
    frames.removeAll(keepingCapacity: true)
    calls.removeAll(keepingCapacity: true)
    overrides.removeAll(keepingCapacity: true)
    indentation.removeAll(keepingCapacity: true)
    missing.removeAll(keepingCapacity: true)
    missingCount = 0
    scratch.reset(keptCapacity: 64 << 10)
  }
}
