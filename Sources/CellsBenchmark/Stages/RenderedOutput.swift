import CellTemplates
import Cells

/// The output exceeds its limit.
struct OutputTooLarge: Error {}

/// The output of a handwritten renderer, written at `target` up to `limit`. Rare values go through the
/// package's own escapers.
struct RenderedOutput: ~Copyable {
  /// The place of a value, which determines how it is escaped.
  enum Place { case text, attribute, url }

  var buffer = ByteBuffer()
  private var scratch = ByteBuffer()
  private let limitBytes: Int
  // Its tables belong to the archive, which the stages retain.
  private let schemes: AllowedSchemes

  /// The position of the next byte, advanced by the writer.
  var target: UnsafeMutablePointer<UInt8>
  /// The end of the room. Up to 64 bytes after it may be written and are not part of the output.
  private(set) var limit: UnsafeMutablePointer<UInt8>

  init(limitBytes: Int, archive: CellArchive) {
    self.limitBytes = limitBytes
    schemes = AllowedSchemes(archive)
    let cursor = buffer.cursor(limit: limitBytes)
    (target, limit) = (cursor.bytes, cursor.byteLimit)
  }

  mutating func begin() {
    buffer.truncate(to: 0)
    renew()
  }

  /// Updates the buffer's length after writing.
  mutating func commit() { buffer.setEnd(target) }

  private mutating func renew() {
    let cursor = buffer.cursor(limit: limitBytes)
    (target, limit) = (cursor.bytes, cursor.byteLimit)
  }

  /// Makes room for `count` more bytes, if the output may grow that much.
  @inline(never)
  mutating func makeRoom(for count: Int) throws(OutputTooLarge) {
    if !mayGrow(by: count) { throw OutputTooLarge() }
    buffer.reserve(count)
    renew()
  }

  /// Makes room for `count` more bytes. Returns whether the output may grow that much.
  @inline(never)
  mutating func makesRoom(for count: Int) -> Bool {
    (try? makeRoom(for: count)) != nil
  }

  private mutating func mayGrow(by count: Int) -> Bool {
    commit()
    return buffer.count + count <= limitBytes
  }

  /// Appends a value of any type like a template. The next check for room detects whether the limit is
  /// exceeded.
  @inline(never)
  mutating func append(_ node: Int, of rows: ParsedRows, to place: Place) throws(OutputTooLarge) {
    commit()
    let node = JSONTape.Index(truncatingIfNeeded: node)
    switch rows.tape.kind(node) {
    case .null: return
    case .true, .false, .number, .string: try append(rows.tape.bytes(node), to: place)
    case .array, .object, .key:
      scratch.truncate(to: 0)
      rows.tape.appendJSON(node, to: &scratch)
      try append(scratch.bytes, to: place)
    }
    renew()
  }

  private mutating func append(
    _ text: UnsafeRawBufferPointer, to place: Place
  ) throws(OutputTooLarge) {
    if !mayGrow(by: text.count) { throw OutputTooLarge() }
    let escaper: Escaper =
      switch place {
      case .text: .html
      case .attribute: .attribute
      case .url: .url
      }
    buffer.append(text, through: escaper, allowing: schemes)
  }
}
