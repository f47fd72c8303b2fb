import Cells

/// Mutable JSON: parsed rows that can be turned into unexpected ones.
indirect enum JSONTree {
  /// The text of a scalar as in JSON.
  case scalar(String)
  case array([JSONTree])
  case object([Member])

  struct Member {
    var name: String
    var value: JSONTree
  }

  /// - Parameter node: must not contain a string or name with an escape.
  init(_ node: Int, of rows: ParsedRows) {
    switch rows.kind(node) {
    case ParsedRows.Kind.array:
      self = .array(Self.children(of: node, in: rows, first: node + 1).map { JSONTree($0, of: rows) })
    case ParsedRows.Kind.object:
      self = .object(
        Self.children(of: node, in: rows, first: node + 2).map {
          Member(name: Self.text($0 - 1, of: rows), value: JSONTree($0, of: rows))
        })
    case ParsedRows.Kind.string: self = .scalar("\"\(Self.text(node, of: rows))\"")
    default: self = .scalar(Self.text(node, of: rows))
    }
  }

  private static func children(of node: Int, in rows: ParsedRows, first: Int) -> [Int] {
    var children: [Int] = []
    var child = first
    while child < rows.end(node) {
      children.append(child)
      child = rows.end(child) + (first - node - 1)
    }
    return children
  }

  private static func text(_ node: Int, of rows: ParsedRows) -> String {
    let start = rows.text + Int(rows.nodes[node].offset)
    return String(decoding: UnsafeBufferPointer(start: start, count: rows.count(node)), as: UTF8.self)
  }

  var json: String {
    switch self {
    case .scalar(let text): text
    case .array(let items): "[\(items.map(\.json).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\"\($0.name)\":\($0.value.json)" }.joined(separator: ","))}"
    }
  }
}
