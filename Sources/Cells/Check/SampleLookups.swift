import CellTemplates

/// Finds the values of names in one sample row, from the inside out.
struct SampleLookups {
  /// Lookups of at least so many steps are kept, this many of one row.
  private static let farSteps = 8
  private static let farLimit = 1 << 16

  /// A name that is looked up in a value and in those around it.
  private struct Lookup: Hashable {
    let name: SampleReview.Name
    let node: JSONTape.Index
  }

  /// The value of a name, and the value that contains it.
  typealias Finding = (value: JSONTape.Index, holder: JSONTape.Index)

  private let tape: JSONTape
  private var members: MembersByName
  /// The value that contains each visited value; rows have none.
  private var outer: [JSONTape.Index: JSONTape.Index] = [:]
  /// Results of lookups that led far out. Values deep in others look up the same names as those around them: they go on from the
  /// nearest of these, so that a lookup takes few steps however deep a row is.
  private var far: [Lookup: Finding?] = [:]

  init(on tape: JSONTape) {
    self.tape = tape
    members = MembersByName(on: tape)
  }

  /// Notes the value that contains a visited one.
  mutating func contain(_ value: JSONTape.Index, in holder: JSONTape.Index) { outer[value] = holder }

  /// The nearest value of a name.
  mutating func find(_ member: DataShape.Member, _ name: SampleReview.Name, from node: JSONTape.Index)
    -> Finding?
  {
    // Outlets look in the innermost object; an outlet's own keys, in its value.
    let own: DataShape.Uses = [.outlet, .ownKey, .frequencies, .uncertain]
    if tape.kind(node) == .object, member.uses.isSubset(of: own) {
      return members.value(of: member.name, in: node).map { ($0, node) }
    }
    var holder = node
    var result: Finding?
    var steps = 0
    while true {
      if let value = members.value(of: member.name, in: holder) {
        result = (value, holder)
        break
      }
      guard let next = outer[holder] else { break }
      holder = next
      if let known = far[Lookup(name: name, node: holder)] {
        result = known
        break
      }
      steps += 1
    }
    if steps >= Self.farSteps {
      if far.count == Self.farLimit { far.removeAll(keepingCapacity: true) }
      far[Lookup(name: name, node: node)] = .some(result)
    }
    return result
  }
}
