import Cells
import CellTemplates

/// The rows of one request, as parsed from its body. Each row is checked when it is rendered.
struct Batch {
  /// Where the rows are in the body, which determines their JSON pointers.
  enum Layout {
    /// The body is a single row.
    case single
    /// The body is an array of rows, or one row per line.
    case list
    /// The body is an envelope with the member `rows`.
    case envelope
  }

  enum Rows {
    case one(JSONTape.Index)
    case elements(of: JSONTape.Index)
    case lines(LineList)
  }

  /// A nonblank line of NDJSON.
  struct Line {
    /// Its root on the tape; `noIndex` if it is not valid JSON.
    var root: UInt32
    /// The line number in the body, counted from 1, and the range of its bytes.
    var number: UInt32
    var start: UInt32
    var end: UInt32

    var range: Range<Int> { Int(start)..<Int(end) }
  }

  /// What a row consists of.
  enum Content {
    /// The data for a cell of this kind.
    case data(kind: UInt32)
    /// An item that names its kind.
    case items
  }

  var rows: Rows
  var content: Content
  var layout: Layout
  var owner: JSONTape.Index?
  /// The envelope's kind, a string, for items that select none.
  var defaultKind: JSONTape.Index?
  /// What the envelope says of the locale, time zone and time of rows.
  var reading = Reading()
  /// The data of items without data.
  var emptyObject: JSONTape.Index?

  func count(on tape: JSONTape) -> Int {
    switch rows {
    case .one: 1
    case .elements(let array): tape.count(array)
    case .lines(let lines): lines.count
    }
  }

  /// The JSON pointer of a row.
  func pointer(_ index: Int) -> String {
    switch layout {
    case .single: ""
    case .list: JSONPointer.appending(index, to: "")
    case .envelope: JSONPointer.appending(index, to: "/rows")
    }
  }

  /// The JSON pointer of a row's data.
  func dataPointer(_ index: Int) -> String {
    if case .items = content { return JSONPointer.appending("data", to: pointer(index)) }
    return pointer(index)
  }
}
