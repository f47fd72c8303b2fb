import CellTemplates

/// The rules of `MemberLookup` for names as bytes, as a kind's levels have them: what a sample's values
/// contain. The archive has all of these names, so other members are passed over.
///
/// Remembers the members and elements of each value it has looked into. Memory: linear in these.
struct MembersByName {
  private let tape: JSONTape
  private var members: [JSONTape.Index: [[UInt8]: JSONTape.Index]] = [:]
  private var elements: [JSONTape.Index: [JSONTape.Index]] = [:]

  init(on tape: JSONTape) { self.tape = tape }

  /// The value of a name in an object, or of an index in a list.
  mutating func value(of name: [UInt8], in holder: JSONTape.Index) -> JSONTape.Index? {
    switch tape.kind(holder) {
    case .object:
      if let known = members[holder] { return known[name] }
      var all: [[UInt8]: JSONTape.Index] = [:]
      for (key, value) in tape.knownMembers(of: holder) { all[Array(tape.bytes(key))] = value }
      members[holder] = all
      return all[name]
    case .array:
      let index = NameEntry.listIndex(of: name)
      if index == noIndex { return nil }
      let items = elements[holder] ?? tape.elements(of: holder)
      elements[holder] = items
      return items.indices.contains(Int(index)) ? items[Int(index)] : nil
    default: return nil
    }
  }
}
