import Cells
import CellTemplates

/// Writes the element `<turbo-stream>` around cells.
enum TurboStreamElement {
  static let end: StaticString = "</template></turbo-stream>"
  /// How many members of a row are searched for its id.
  static let searchedMembers = 4096

  /// The id of a row as text: the item's, else the member `id` of the row. nil if there is none, or it is empty, `null`, a
  /// list, an object, or too long.
  static func id(
    of item: JSONTape.Index?, _ row: JSONTape.Index, on tape: JSONTape
  ) -> UnsafeRawBufferPointer? {
    if let item, let text = text(of: item, on: tape) { return text }
    return member(of: row, on: tape).flatMap { text(of: $0, on: tape) }
  }

  private static func text(of node: JSONTape.Index, on tape: JSONTape) -> UnsafeRawBufferPointer? {
    switch tape.kind(node) {
    case .string, .number:
      let text = tape.bytes(node)
      return 1...TurboStreamControls.limitBytes ~= text.count ? text : nil
    case .true: return word("true")
    case .false: return word("false")
    case .null, .array, .object, .key: return nil
    }
  }

  private static func word(_ text: StaticString) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  private static func member(of row: JSONTape.Index, on tape: JSONTape) -> JSONTape.Index? {
    guard tape.kind(row) == .object else { return nil }
    var key = row + 1
    let end = tape.end(row)
    var count = 0
    while key < end, count < searchedMembers {
      // The parser marks repeated names that are in the archive's table, as this one is.
      if tape.nameID(key) == RequestName.id, !tape.isSuperseded(key) { return key + 1 }
      key = tape.end(key + 1)
      count += 1
    }
    return nil
  }

  /// Appends the beginning, up to the content. The row must have no `streamFault`.
  /// - Parameters:
  ///   - own: what the item says.
  ///   - id: the item's id.
  static func begin(
    _ stream: BatchOptions.TurboStream, _ own: ItemReader.Stream, id: JSONTape.Index?, _ row: JSONTape.Index,
    on tape: JSONTape, to output: inout ByteBuffer
  ) {
    let action =
      own.action.flatMap {
        TurboStreamControls.Action(rawValue: String(decoding: tape.bytes($0), as: UTF8.self))
      }
      ?? stream.action
    guard let action else { preconditionFailure("the row has an action") }
    output.append("<turbo-stream action=\"")
    output.append(text: action.rawValue)
    if let method = stream.method, action.mayMorph {
      output.append("\" method=\"")
      output.append(text: method.rawValue)
    }
    guard
      let target = own.target.map({ TurboStreamTarget(tape.bytes($0), isSelector: false) }) ?? stream.target
    else { preconditionFailure("the row has a target") }
    output.append(target.isSelector ? "\" targets=\"" : "\" target=\"")
    output.append(target.value(id: target.needsID ? Self.id(of: id, row, on: tape) : nil))
    output.append("\"><template>")
  }
}
