import Cells
import CellTemplates

/// The rows of one request as they stand in its body. They are judged one by one as they are rendered.
struct Batch {
  /// Where the rows stand in the body: what their JSON pointers begin with.
  enum Layout {
    /// The body is the one row.
    case single
    /// The body is an array of rows, or a line for each.
    case list
    /// The body is an envelope with the member `rows`.
    case envelope
  }

  enum Rows {
    case one(JSONTape.Index)
    case elements(of: JSONTape.Index)
    case lines([Line])
  }

  /// A line of NDJSON that is not blank.
  struct Line {
    /// Its root on the tape; `noIndex`: it is no JSON.
    var root: UInt32
    /// The line in the body, counted from 1, and its bytes.
    var number: UInt32
    var start: UInt32
    var end: UInt32

    var range: Range<Int> { Int(start)..<Int(end) }
  }

  /// What a row is.
  enum Content {
    /// The data of a cell of this kind.
    case data(kind: UInt32)
    /// An item, which says its kind.
    case items
  }

  var rows: Rows
  var content: Content
  var layout: Layout
  var owner: JSONTape.Index?
  /// The kind of items that select none: the envelope's, a string.
  var defaultKind: JSONTape.Index?
  /// The data of items that have none.
  var emptyObject: JSONTape.Index?

  func count(on tape: JSONTape) -> Int {
    switch rows {
    case .one: 1
    case .elements(let array): tape.count(array)
    case .lines(let lines): lines.count
    }
  }

  /// The JSON pointer of a row.
  func pointer(_ place: Int) -> String {
    switch layout {
    case .single: ""
    case .list: JSONPointer.appending(place, to: "")
    case .envelope: JSONPointer.appending(place, to: "/rows")
    }
  }

  /// The JSON pointer of a row's data.
  func dataPointer(_ place: Int) -> String {
    if case .items = content { return JSONPointer.appending("data", to: pointer(place)) }
    return pointer(place)
  }
}
