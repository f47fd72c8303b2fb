import CellTemplates

/// The working memory of a renderer: one for each factory, reused for every row.
///
/// Its stacks grow to the size needed by the deepest row, which is bounded by nesting and partial depth.
struct RenderStack: ~Copyable {
  /// The state to restore when a program or an override's body ends.
  struct Call: BitwiseCopyable {
    var returnStep: UInt32
    /// 1 for a partial or parent, 0 for an override's body.
    var level: UInt16
    /// Whether the text after the call continues the current line.
    var continuesLine: Bool
    /// The hint slots of the calling program, in the cell's memory or the factory's.
    var slots: UnsafeMutablePointer<UInt32>
    var indentStart: UInt32
    var indentCount: UInt32
    var indentBytes: UInt32
    var overrides: Int32
    var overridesCount: Int32
  }

  /// The overrides of one parent tag, linked to the surrounding overrides.
  struct Overrides: BitwiseCopyable {
    var start: UInt32
    var count: UInt32
    /// The hint slots of the program that contains the bodies.
    var slots: UnsafeMutablePointer<UInt32>
    /// The index of the surrounding overrides; -1 if there are none.
    var outer: Int32
    /// The innermost running body of these overrides, by its index in `bodies`; -1 if none is running.
    var body: Int32 = -1
  }

  /// An override: the index of its set in `overrides`, and its number in the archive.
  struct Override: BitwiseCopyable {
    var set: Int32
    var number: UInt32
  }

  /// The running body of an override.
  struct Body: BitwiseCopyable {
    var override: Override
    /// The next outer running body of the same parent tag, by its index in `bodies`; -1 if there is none.
    var outer: Int32
  }

  /// The row of an included cell, and what was before.
  struct Row: BitwiseCopyable {
    let context: RowContext
    let outer: RowContext
    let outerNumber: UInt32
    let floor: ContextStack.Floor
  }

  var contexts = ContextStack()
  /// The rows of the included cells that are being rendered, innermost last.
  var rows = TrivialStack<Row>()
  var calls = TrivialStack<Call>()
  var overrides = TrivialStack<Overrides>()
  /// The overrides whose bodies are running, innermost last.
  var bodies = TrivialStack<Body>()
  /// The outlets whose elements are being rendered, innermost last.
  var outlets = TrivialStack<OpenOutlet>()
  /// Whether the innermost outlet has been left and its next item must be found when the row continues.
  var waitsForItem = false
  /// The number of outlets in `outlets` without a value. The outlets inside have no values either.
  var blindness = 0
  /// Whether the attribute that is written as a list has been opened.
  var isListOpen = false
  /// Whether an item of the list has begun since the last `listBreak`.
  var isItemOpen = false
  /// The bytes of all current indentations, one after another.
  var indentation = ByteBuffer()
  /// JSON of objects and lists before it is escaped.
  var scratch = ByteBuffer()
  /// Missing names: the first ones, and the total count.
  private(set) var missing: [MissingName] = []
  private(set) var missingCount = 0
  /// The bytes of the names in `missing`.
  private var missingBytes = 0

  private static let missingLimit = 100
  private static let missingBytesLimit = 64 << 10
  private static let keptScratchBytes = 64 << 10

  /// Memory in bytes.
  var heldBytes: Int {
    let calls = calls.heldBytes + overrides.heldBytes + bodies.heldBytes
    return contexts.heldBytes + rows.heldBytes + calls + outlets.heldBytes + indentation.capacity
      + scratch.capacity + missingBytes
  }

  /// Clears the state of the last row, which a fault may have left in any condition.
  @inline(__always)
  mutating func reset() {
    contexts.removeAll()
    calls.truncate(to: 0)
    rows.truncate(to: 0)
    overrides.truncate(to: 0)
    bodies.truncate(to: 0)
    outlets.truncate(to: 0)
    blindness = 0
    (waitsForItem, isListOpen, isItemOpen) = (false, false, false)
    indentation.truncate(to: 0)
    if missingCount > 0 { forgetMissing() }
  }

  /// Whether the next missing name is kept. All others are only counted.
  var keepsMissing: Bool { missing.count < Self.missingLimit && missingBytes < Self.missingBytesLimit }

  /// Counts a missing name that is not kept.
  mutating func countMissing() { missingCount += 1 }

  /// Counts a missing name, and keeps it if there is room.
  mutating func noteMissing(_ name: @autoclosure () -> MissingName) {
    countMissing()
    guard keepsMissing else { return }
    let name = name()
    missingBytes += name.name.utf8.count
    missing.append(name)
  }

  private mutating func forgetMissing() {
    missing.removeAll(keepingCapacity: true)
    (missingCount, missingBytes) = (0, 0)
  }

  /// Releases the memory of large values and deep indentations. Must not be called while a row is rendered.
  mutating func trim() {
    if indentation.capacity > Self.keptScratchBytes { indentation.reset(keptCapacity: Self.keptScratchBytes) }
    if scratch.capacity > Self.keptScratchBytes { scratch.reset(keptCapacity: Self.keptScratchBytes) }
  }
}
