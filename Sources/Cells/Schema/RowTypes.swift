import CellTemplates

/// The types of a kind's rows: those that its samples show and, for names that no sample has, those that the places of
/// the name are made for. What strict schemas and types in programming languages are written from.
///
/// Objects in which a template looks up the same names have one type, so the types of recursive cells are finite.
struct RowTypes {
  /// What a value may be.
  struct Value: Equatable {
    var scalars: SampleTypeEntry.Types = []
    /// The type of an object, as an index into `objects`.
    var object: Int?
    /// The types of items, as an index into `lists`.
    var list: Int?
    /// It may be anything.
    var isAny = false

    static let any = Value(isAny: true)
    static let anyScalar: SampleTypeEntry.Types = [.null, .boolean, .number, .string]
  }

  struct Member {
    let name: [UInt8]
    let value: Value
    /// Without it, every row is bad.
    let isRequired: Bool
    /// How the template uses it; none of a name that only samples have.
    let uses: DataShape.Uses
    /// The words of the formats that show it.
    let formats: [String]
    /// What fits all of them; nil if there is no such thing.
    let fit: DataShape.Fit?
    /// The same of the items of a list.
    let itemFit: DataShape.Fit?
  }

  struct Object {
    /// Letters and digits, the first an uppercase letter. Unique among these types.
    var name: String
    var members: [Member] = []
    /// Whether it may have other members.
    var isOpen = false
    /// Whether it may have an `owner` of its own. `members` does not list it.
    var mayHaveOwner = false
  }

  /// Beyond it, values may be anything.
  static let objectLimit = 1 << 10
  static let memberLimit = 1 << 14

  var row = Value.any
  var objects: [Object] = []
  var lists: [Value] = []
  /// The type of the owner, if the kind looks names up in it.
  var owner: Int?
}
