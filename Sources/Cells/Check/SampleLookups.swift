import CellTemplates

/// Finds the values of names in one sample row, from the inside out.
struct SampleLookups {
  /// Lookups of at least so many steps are kept, this many of one row.
  private static let farSteps = 8
  private static let farLimit = 1 << 16

  /// A value where a level's names are looked up. What is around it depends on the level: in
  /// `{{#p}}{{#l}}{{b}}{{/l}}{{/p}}`, `p` is around the items of `l` that the row has.
  struct Place: Hashable {
    let level: Int
    let node: JSONTape.Index
  }

  /// A name that is looked up at a place and in those around it.
  private struct Lookup: Hashable {
    let name: SampleReview.Name
    let place: Place
  }

  /// The value of a name, and the value that contains it.
  typealias Finding = (value: JSONTape.Index, holder: JSONTape.Index)

  private let tape: JSONTape
  private var members: MembersByName
  /// The place around each visited one, from which it was reached first; rows have none.
  private var outer: [Place: Place?] = [:]
  /// Results of lookups that led far out. Values deep in others look up the same names as those around them: they go on from the
  /// nearest of these, so that a lookup takes few steps however deep a row is.
  private var far: [Lookup: Finding?] = [:]

  init(on tape: JSONTape) {
    self.tape = tape
    members = MembersByName(on: tape)
  }

  /// Notes what is around a place, if that is not known: so no place is around itself.
  mutating func contain(_ place: Place, in holder: Place?) {
    if outer[place] == nil { outer[place] = .some(holder) }
  }

  /// The value of a name in an object.
  mutating func value(of name: [UInt8], in node: JSONTape.Index) -> JSONTape.Index? {
    tape.kind(node) == .object ? members.value(of: name, in: node) : nil
  }

  /// The nearest value of a name.
  mutating func find(_ member: DataShape.Member, _ name: SampleReview.Name, from place: Place) -> Finding? {
    // Outlets look in the innermost object; an outlet's own keys, in its value.
    let own: DataShape.Uses = [.outlet, .ownKey, .frequencies, .uncertain]
    if tape.kind(place.node) == .object, member.uses.isSubset(of: own) {
      return members.value(of: member.name, in: place.node).map { ($0, place.node) }
    }
    var holder = place
    var result: Finding?
    var steps = 0
    while true {
      if let value = members.value(of: member.name, in: holder.node) {
        result = (value, holder.node)
        break
      }
      guard let next = outer[holder] ?? nil else { break }
      holder = next
      if let known = far[Lookup(name: name, place: holder)] {
        result = known
        break
      }
      steps += 1
    }
    if steps >= Self.farSteps {
      if far.count == Self.farLimit { far.removeAll(keepingCapacity: true) }
      far[Lookup(name: name, place: place)] = .some(result)
    }
    return result
  }
}
