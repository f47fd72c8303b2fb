extension DataShape {
  /// How a template uses a name.
  struct Uses: OptionSet {
    let rawValue: UInt16

    /// Printed.
    static let value = Uses(rawValue: 1)
    static let section = Uses(rawValue: 2)
    static let inverted = Uses(rawValue: 4)
    static let outlet = Uses(rawValue: 8)
    /// A key that an outlet's value may have: an attribute's, or `text`.
    static let ownKey = Uses(rawValue: 16)
    /// Names are looked up in it by dots.
    static let path = Uses(rawValue: 32)
    /// In a block or an override: whether it is reached, and where its name is looked up, is for others to
    /// say.
    static let uncertain = Uses(rawValue: 64)
    /// Each rendering asks for it, whatever else the row holds.
    static let always = Uses(rawValue: 128)
    /// Printed by a text cell as `{{x}}`, with the characters of markup escaped.
    static let escapedText = Uses(rawValue: 256)
  }

  struct Member {
    let name: [UInt8]
    var uses: Uses = []
    /// What its value is to names inside of it.
    var level: Int?
    /// Where the template names it first; if text is escaped there, where it first is.
    var line: Int
    var column: Int

    /// It may be a list, each item seen as the value itself would be.
    var mayRepeat: Bool { !uses.isDisjoint(with: [.section, .outlet]) }
    /// Nothing is done with its value but to look names up in it.
    var isPathAlone: Bool { uses.subtracting(.always) == .path }
    /// In a list it is the number of an item.
    var isIndex: Bool { name.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } }
  }

  struct Level {
    /// Of the member whose value it is; of a kind's rows the kind's.
    let name: [UInt8]
    /// The number of the kind whose template it belongs to.
    let kind: UInt32
    /// In the order of first appearance.
    var members: [Member] = []
    var calls: [Call] = []
    /// What `{{#.}}` and an outlet named `.` see: the value itself, and each of its items.
    var selves: [Int] = []
    /// The value is printed as a whole.
    var isPrinted = false
    /// Where each name stands among the members.
    var places: [[UInt8]: Int] = [:]

    init(name: [UInt8], kind: UInt32) {
      self.name = name
      self.kind = kind
    }

    /// The template says nothing about what is in it.
    var isEmpty: Bool { members.isEmpty && calls.isEmpty && selves.isEmpty }

    func member(named name: [UInt8]) -> Int? { places[name] }
  }

  /// A cell that is called where the names of a level are looked up, so that it looks them up there, too.
  struct Call: Hashable {
    let kind: UInt32
    /// Not in a block or an override.
    let isCertain: Bool
    /// Each rendering calls it.
    let isAlways: Bool
  }
}
