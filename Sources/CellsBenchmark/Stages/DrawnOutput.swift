import CellTemplates
import Cells

/// The output is larger than it may be.
struct OutputTooLarge: Error {}

/// The output of a renderer written by hand. Values that are rare go through the package's own escapers. It is written where `target` stands, up to `limit`.
struct DrawnOutput: ~Copyable {
  /// Where a value goes, which tells how it is escaped.
  enum Place { case text, attribute, url }

  var buffer = ByteBuffer()
  private var scratch = ByteBuffer()
  private let limitBytes: Int
  // Its tables are the archive's, which the stages hold.
  private let schemes: AllowedSchemes

  /// Where the next byte goes; who writes moves it on.
  var target: UnsafeMutablePointer<UInt8>
  /// Where the room ends. 64 bytes behind it may be written, and are no content.
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

  /// Tells the buffer what was written.
  mutating func commit() { buffer.setEnd(target) }

  private mutating func renew() {
    let cursor = buffer.cursor(limit: limitBytes)
    (target, limit) = (cursor.bytes, cursor.byteLimit)
  }

  /// Makes room for `count` bytes more, if the output may grow so far.
  @inline(never)
  mutating func makeRoom(for count: Int) throws(OutputTooLarge) {
    if !mayGrow(by: count) { throw OutputTooLarge() }
    buffer.reserve(count)
    renew()
  }

  /// Makes room for `count` bytes more, and tells whether the output may grow so far.
  @inline(never)
  mutating func makesRoom(for count: Int) -> Bool {
    (try? makeRoom(for: count)) != nil
  }

  private mutating func mayGrow(by count: Int) -> Bool {
    commit()
    return buffer.count + count <= limitBytes
  }

  /// Appends a value of any kind as a template would. What it is followed by finds out whether the limit is passed.
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
