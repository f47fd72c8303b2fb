import CSimdJSON
import CellTemplates

// What a renderer that is written by hand, in the benchmark, is given: the parsed rows and the output as the package's
// own renderer has them, and the package's own functions for values that are rare.

/// Parsed rows: the nodes of a `JSONTape`, and the text they name. Valid until the next parse.
@_spi(Benchmarks)
public struct ParsedRows {
  /// One value or key: a `cf_json_node`, which tells what its words mean.
  public struct Node: BitwiseCopyable {
    /// Its kind, its flags and its depth.
    public let head: UInt32
    /// Where it stands in the text.
    public let offset: UInt32
    /// A string's bytes, a list's elements.
    public let length: UInt32
    /// Of a value the node behind it, of a name its number.
    public let link: UInt32
  }

  /// All nodes, in the order of the text.
  public let nodes: UnsafePointer<Node>
  /// 64 bytes behind it can be read.
  public let text: UnsafePointer<UInt8>
  /// Its bytes.
  public let textCount: Int
  /// An array: its elements are the rows.
  public let root: Int
  let tape: JSONTape

  init(_ tape: JSONTape, root: JSONTape.Index, textCount: Int) {
    // The same four words, and only read.
    precondition(MemoryLayout<Node>.stride == MemoryLayout<cf_json_node>.stride)
    nodes = UnsafeRawPointer(tape.nodes).assumingMemoryBound(to: Node.self)
    text = tape.text.assumingMemoryBound(to: UInt8.self)
    self.textCount = textCount
    self.root = Int(root)
    self.tape = tape
  }
}

/// The output is larger than it may be.
@_spi(Benchmarks)
public struct OutputTooLarge: Error {}

/// Output that is written where `target` stands, up to `limit`.
@_spi(Benchmarks)
public struct DrawnOutput: ~Copyable {
  /// Where a value goes, which tells how it is escaped.
  public enum Place { case text, attribute, url }

  var buffer = ByteBuffer()
  private var scratch = ByteBuffer()
  private let limitBytes: Int
  // Its tables are the archive's, which the stages hold.
  private let schemes: AllowedSchemes

  /// Where the next byte goes; who writes moves it on.
  public var target: UnsafeMutablePointer<UInt8>
  /// Where the room ends. 64 bytes behind it may be written, and are no content.
  public private(set) var limit: UnsafeMutablePointer<UInt8>

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
  public mutating func makeRoom(for count: Int) throws(OutputTooLarge) {
    if !mayGrow(by: count) { throw OutputTooLarge() }
    buffer.reserve(count)
    renew()
  }

  /// Makes room for `count` bytes more, and tells whether the output may grow so far.
  @inline(never)
  public mutating func makesRoom(for count: Int) -> Bool {
    (try? makeRoom(for: count)) != nil
  }

  private mutating func mayGrow(by count: Int) -> Bool {
    commit()
    return buffer.count + count <= limitBytes
  }

  /// Appends a value of any kind as a template would. What it is followed by finds out whether the limit is passed.
  @inline(never)
  public mutating func append(_ node: Int, of rows: ParsedRows, to place: Place) throws(OutputTooLarge) {
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
