import Cells
import CellTemplates

/// Writes one row as an object, for formats that write more of a row than its output. The format writes what is before, between
/// and after rows.
///
/// A good row is `begin`, its tag if that is wanted, `describing`, its content and its outlets if these are wanted, and `end`.
/// An unchanged row is `begin`, its tag, `appendUnchanged` and `end`; a bad one `begin`, its problem and `end`. Content and
/// outlets come in parts, because they may be long.
protocol RowWriter: SendableMetatype {
  /// - Parameters:
  ///   - index: the row's index.
  ///   - kind: its kind's name; nil if it is unknown.
  ///   - id: its id as sent; nil if it has none.
  static func begin(
    _ index: Int, kind: UnsafeRawBufferPointer?, id: JSONTape.Index?, on tape: JSONTape,
    to output: inout ByteBuffer)

  static func append(etag: ContentHash, to output: inout ByteBuffer)

  /// Says that the client has the row already.
  static func appendUnchanged(to output: inout ByteBuffer)

  /// Writes those of the requested fields that come from the archive: `class` (its own one), `nib` and `actions`.
  static func append(
    describing kind: UInt32, _ fields: RowFields, of archive: CellArchive, to output: inout ByteBuffer)

  static func beginContent(isText: Bool, to output: inout ByteBuffer)
  static func append(content: UnsafeRawBufferPointer, to output: inout ByteBuffer)
  static func endContent(to output: inout ByteBuffer)

  static func beginOutlets(to output: inout ByteBuffer)
  /// - Parameter outlets: a part of them, as JSON.
  static func append(outlets: UnsafeRawBufferPointer, to output: inout ByteBuffer)

  static func append(problem: Problem, to output: inout ByteBuffer)

  static func end(to output: inout ByteBuffer)
}
