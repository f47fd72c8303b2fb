import Cells
import CellTemplates

/// The object `{"owner": {…}, "kind": "news", "rows": [items]}` that contains a batch's items.
struct Envelope {
  private var owner: JSONTape.Index?
  private var kind: JSONTape.Index?
  private var rows: JSONTape.Index

  /// - Throws: `.badRequest` for an unknown member or a member of the wrong type.
  init(_ object: JSONTape.Index, on tape: JSONTape) throws(Problem) {
    rows = object
    var key = object + 1
    while key < tape.end(object) {
      let value = key + 1
      if !tape.isSuperseded(key) {
        switch tape.nameID(key) {
        case ReservedName.rows:
          if tape.kind(value) != .array { throw Self.problem("/rows", "rows must be an array of items") }
          rows = value
        case ReservedName.owner:
          if tape.kind(value) != .object { throw Self.problem("/owner", "owner must be an object") }
          owner = value
        case ReservedName.kind:
          if tape.kind(value) != .string { throw Self.problem("/kind", "kind must be a string") }
          kind = value
        default:
          let name = tape.bytes(key)
          throw Self.problem(
            JSONPointer.appending(sent: name, to: ""),
            "besides rows, only owner and kind are allowed, not \(Excerpt.quoted(name))")
        }
      }
      key = tape.end(value)
    }
  }

  func batch() -> Batch {
    Batch(rows: .elements(of: rows), content: .items, layout: .envelope, owner: owner, defaultKind: kind)
  }

  private static func problem(_ pointer: String, _ detail: String) -> Problem {
    var problem = Problem(.badRequest, detail: detail)
    problem.add(Problem.Entry(pointer: pointer, code: .badRequest, detail: detail))
    return problem
  }
}
