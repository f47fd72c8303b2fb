import CellTemplates

/// The memory a renderer works on: one for each factory, used again for every row.
///
/// Its stacks grow to what the deepest row needed, which nesting and partial depth bound.
struct RenderStack: ~Copyable {
  /// Where to go on when a program or an override's body ends.
  struct Call: BitwiseCopyable {
    var returnStep: UInt32
    /// 1 for a partial or parent, 0 for an override's body.
    var level: UInt16
    /// What stands behind it continues the line it is on.
    var continuesLine: Bool
    /// The hint slots of the program that called: places in the cell's memory or the factory's.
    var slots: UnsafeMutablePointer<UInt32>
    var indentStart: UInt32
    var indentCount: UInt32
    var indentBytes: UInt32
    var overrides: Int32
    var overridesCount: Int32
  }

  /// The overrides of one parent tag, with the overrides around it.
  struct Overrides: BitwiseCopyable {
    var start: UInt32
    var count: UInt32
    /// The hint slots of the program the bodies belong to.
    var slots: UnsafeMutablePointer<UInt32>
    /// The place of the overrides around these; -1: none.
    var outer: Int32
  }

  /// An override: its set, as a place in `overrides`, and its number in the archive.
  struct Override: BitwiseCopyable, Equatable {
    var set: Int32
    var number: UInt32
  }

  var frames = FrameStack()
  var calls = TrivialStack<Call>()
  var overrides = TrivialStack<Overrides>()
  /// The overrides whose bodies are running, innermost last.
  var bodies = TrivialStack<Override>()
  /// The outlets whose elements are being rendered, innermost last.
  var outlets = TrivialStack<OutletFrame>()
  /// The innermost of them is left, and its next item is to be found when the row goes on.
  var waitsForItem = false
  /// How many of them found nothing: what is inside of one sees nothing.
  var blindness = 0
  /// The bytes of every indentation in force, one after another.
  var indentation = ByteBuffer()
  /// Objects and lists that are printed, as JSON, before they are escaped.
  var scratch = ByteBuffer()
  /// Names that found nothing: the first of them, and how many in all.
  var missing: [MissingName] = []
  var missingCount = 0

  static let missingLimit = 100
  private static let keptScratchBytes = 64 << 10

  /// Forgets the last row, of which a fault may have left anything.
  @inline(__always)
  mutating func reset() {
    frames.removeAll()
    calls.truncate(to: 0)
    overrides.truncate(to: 0)
    bodies.truncate(to: 0)
    outlets.truncate(to: 0)
    blindness = 0
    waitsForItem = false
    indentation.truncate(to: 0)
    if missingCount > 0 { forgetMissing() }
  }

  private mutating func forgetMissing() {
    missing.removeAll(keepingCapacity: true)
    missingCount = 0
  }

  /// Gives back what a large value, or deep indentation, needed. No row is being drawn.
  mutating func trim() {
    if indentation.capacity > Self.keptScratchBytes { indentation.reset(keptCapacity: Self.keptScratchBytes) }
    if scratch.capacity > Self.keptScratchBytes { scratch.reset(keptCapacity: Self.keptScratchBytes) }
  }
}
