import CellTemplates

/// The memory a renderer works on: one for each factory, used again for every row.
///
/// Its arrays grow to what the deepest row needed, which nesting and partial depth bound.
struct RenderStack: ~Copyable {
  /// Where to go on when a program or an override's body ends.
  struct Call {
    var returnOp: UInt32
    var slotBase: UInt32
    var indentStart: Int
    var indentCount: Int
    var indentBytes: Int
    var overrides: Int
    var overridesCount: Int
    /// What stands behind it continues the line it is on.
    var continuesLine: Bool
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

  /// An override: its set, as a place in `overrides`, and its number in the archive.
  struct Override: Equatable {
    var set: Int
    var number: UInt32
  }

  var frames = FrameStack()
  var calls: [Call] = []
  var overrides: [Overrides] = []
  /// The overrides whose bodies are running, innermost last.
  var bodies: [Override] = []
  /// The outlets whose elements are being rendered, innermost last.
  var outlets: [OutletFrame] = []
  /// How many of them found nothing: what is inside of one sees nothing.
  var blindness = 0
  /// The bytes of every indentation in force, one after another.
  var indentation: [UInt8] = []
  /// Objects and lists that are printed, as JSON, before they are escaped.
  var scratch = ByteBuffer()
  /// Names that found nothing: the first of them, and how many in all.
  var missing: [MissingName] = []
  var missingCount = 0

  static let missingLimit = 100
  private static let keptScratchBytes = 64 << 10

  mutating func reset() {
    frames.removeAll()
    if !calls.isEmpty { calls.removeAll(keepingCapacity: true) }
    if !overrides.isEmpty { overrides.removeAll(keepingCapacity: true) }
    if !bodies.isEmpty { bodies.removeAll(keepingCapacity: true) }
    if !outlets.isEmpty { outlets.removeAll(keepingCapacity: true) }
    blindness = 0
    if !indentation.isEmpty { indentation.removeAll(keepingCapacity: true) }
    if missingCount > 0 {
      missing.removeAll(keepingCapacity: true)
      missingCount = 0
    }
    if scratch.capacity > Self.keptScratchBytes { scratch.reset(keptCapacity: Self.keptScratchBytes) }
  }
}
