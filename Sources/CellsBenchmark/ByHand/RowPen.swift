import CEscape
import Cells

/// Writes when there is room for everything that a row can need, so that room is checked only once.
struct RowPen {
  private(set) var at: UnsafeMutablePointer<UInt8>
  private let limit: UnsafeMutablePointer<UInt8>
  let rows: ParsedRows
  private let escapers: UnsafePointer<cf_escapers>

  @inline(__always)
  init(_ rows: ParsedRows, _ output: borrowing RenderedOutput) {
    at = output.target
    limit = output.limit
    self.rows = rows
    escapers = cf_escapers_here()
  }

  /// Copies static text whose length is known at compile time.
  @inline(__always)
  mutating func put(_ text: StaticString) {
    UnsafeMutableRawPointer(at).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    at += text.utf8CodeUnitCount
  }

  /// Writes a string or number as element text; returns false for other values.
  @inline(__always)
  mutating func text(_ value: Int) -> Bool {
    guard rows.isText(value) else { return false }
    if isShortAndPlain(value) { return true }
    let (start, end) = bytes(value)
    at = escapers.pointee.html(at, limit, start, end).target
    return true
  }

  /// Same, in an attribute.
  @inline(__always)
  mutating func attribute(_ value: Int) -> Bool {
    guard rows.isText(value) else { return false }
    if isShortAndPlain(value) { return true }
    let (start, end) = bytes(value)
    at = escapers.pointee.attribute(at, limit, start, end).target
    return true
  }

  /// Writes a value that is usually a number as element text; a number needs no escaping.
  @inline(__always)
  mutating func number(_ value: Int) -> Bool { copyNumber(value) || text(value) }

  /// Same, in an attribute.
  @inline(__always)
  mutating func numberInAttribute(_ value: Int) -> Bool { copyNumber(value) || attribute(value) }

  /// Writes a string or number as a URL; returns false for other values.
  @inline(__always)
  mutating func url(_ value: Int, _ output: inout RenderedOutput) throws(OutputTooLarge) -> Bool {
    guard rows.isText(value) else { return false }
    let (start, end) = bytes(value)
    let progress = escapers.pointee.url(at, limit, start, end)
    at = progress.target
    if progress.source == end { return true }
    // Nothing was copied, so the URL must be checked. There is room for it, so the output does not move, and
    // the row can still be rendered in another way.
    let rowStart = output.target
    output.target = at
    try output.append(value, of: rows, to: .url)
    precondition(output.limit == limit, "the output has grown")
    at = output.target
    output.target = rowStart
    return true
  }

  @inline(__always)
  private func bytes(_ value: Int) -> (UnsafePointer<UInt8>, UnsafePointer<UInt8>) {
    let start = rows.text + Int(rows.nodes[value].offset)
    return (start, start + Int(rows.nodes[value].length))
  }

  @inline(__always)
  private mutating func copyNumber(_ value: Int) -> Bool {
    let count = rows.nodes[value].length
    guard rows.kind(value) == ParsedRows.Kind.number, count <= 16 else { return false }
    copy16(from: rows.text + Int(rows.nodes[value].offset))
    at += Int(count)
    return true
  }

  /// Copies short texts such as names and dates at once, because they are not worth a call.
  @inline(__always)
  private mutating func isShortAndPlain(_ value: Int) -> Bool {
    let count = rows.nodes[value].length
    if count > 16 { return false }
    let start = rows.text + Int(rows.nodes[value].offset)
    copy16(from: start)
    if cf_attribute_doubt_mask(start) & ((1 &<< count) &- 1) != 0 { return false }
    at += Int(count)
    return true
  }

  @inline(__always)
  private func copy16(from start: UnsafePointer<UInt8>) {
    let chunk = UnsafeRawPointer(start).loadUnaligned(as: SIMD16<UInt8>.self)
    UnsafeMutableRawPointer(at).storeBytes(of: chunk, as: SIMD16<UInt8>.self)
  }
}
