import CellTemplates

extension DataShape {
  /// How a template uses a name.
  struct Uses: OptionSet {
    let rawValue: UInt16

    /// Its value is printed.
    static let value = Uses(rawValue: 1)
    static let section = Uses(rawValue: 2)
    static let inverted = Uses(rawValue: 4)
    static let outlet = Uses(rawValue: 8)
    /// A key that an outlet's value may have: an attribute, or `text`.
    static let ownKey = Uses(rawValue: 16)
    /// Names are looked up in its value by a dotted name.
    static let path = Uses(rawValue: 32)
    /// In a block or an override: whether it is reached, and where its name is looked up, depends on other
    /// templates.
    static let uncertain = Uses(rawValue: 64)
    /// Every rendering looks it up, whatever else the row contains.
    static let always = Uses(rawValue: 128)
    /// Printed by a text cell as `{{x}}`, with markup characters escaped.
    static let escapedText = Uses(rawValue: 256)
    /// Without it, every row is bad, whatever the request says: `data-missing="error"`.
    static let required = Uses(rawValue: 512)
    /// A condition asks about it.
    static let condition = Uses(rawValue: 1024)
    /// It is the row of an included cell, which takes no string or number.
    static let objectRow = Uses(rawValue: 2048)
    /// It is the row of an included cell, for which an item is a mistake.
    static let noItem = Uses(rawValue: 4096)
    /// Same as `required`, but the name is looked up outward: what is around a row may have it.
    static let requiredOutward = Uses(rawValue: 8192)
    /// They say how often a name is looked up, and what its value must be, not what for.
    static let frequencies: Uses = [.always, .required, .requiredOutward, .objectRow, .noItem]
  }

  /// What may be looked up in a level, besides its names.
  struct Lookups: OptionSet {
    let rawValue: UInt8

    /// An owner, by the template or a cell that it calls.
    static let owner = Lookups(rawValue: 1)
    /// What overrides look up where their block is.
    static let overrides = Lookups(rawValue: 2)
  }

  struct Member {
    let name: [UInt8]
    var uses: Uses = []
    /// The level for names inside its value, if any.
    var level: Int?
    /// How the template shows its value.
    var formats = Formats()
    /// Whether some place prints it without a format.
    var isPrintedAsIs = false
    /// Where the template first uses the name; if a text cell escapes it, where it first does.
    var line: Int
    var column: Int

    /// Whether it may be a list, each item of which is treated like the value itself.
    var mayRepeat: Bool { !uses.isDisjoint(with: [.section, .outlet]) }
    /// Whether names are looked up in its value and nothing else is done with it.
    var isPathAlone: Bool { uses.subtracting(.frequencies) == .path }
    /// Whether it is an index if the value that contains it is a list.
    var isIndex: Bool { NameEntry.listIndex(of: name) != noIndex }
  }

  struct Level {
    /// A member of another level.
    struct Home: Hashable {
      let name: [UInt8]
      let level: Int
      let member: Int
    }

    /// The name of the member whose value this is; for the rows of a kind, the kind's name.
    let name: [UInt8]
    /// The number of the kind whose template it belongs to.
    let kind: UInt32
    /// In order of first appearance.
    var members: [Member] = []
    private(set) var calls: [Call] = []
    private var knownCalls: Set<Call> = []
    /// Where the values are of names that start with the name of the section whose value this is, if this has no such key.
    private(set) var homes: [Home] = []
    private var knownHomes: Set<Home> = []
    /// The levels for `{{#.}}` and an outlet named `.`, which see the value itself or each of its items.
    var selves: [Int] = []
    /// Whether it is one of these, so that the value is that of another level, too.
    var isSelf = false
    /// Whether the whole value is printed.
    var isPrinted = false
    var lookups: Lookups = []
    /// The formats of `.`.
    var formats = Formats()
    /// The index of each name in `members`.
    var positions: [[UInt8]: Int] = [:]

    init(name: [UInt8], kind: UInt32) {
      self.name = name
      self.kind = kind
    }

    /// Whether the template says nothing about the contents.
    var isEmpty: Bool { members.isEmpty && calls.isEmpty && selves.isEmpty }

    /// Adds a call if it is new.
    mutating func add(_ call: Call) {
      if knownCalls.insert(call).inserted { calls.append(call) }
    }

    /// Adds a home if it is new.
    mutating func add(_ home: Home) {
      if knownHomes.insert(home).inserted { homes.append(home) }
    }

    func member(named name: [UInt8]) -> Int? { positions[name] }
  }

  /// A cell called where the names of a level are looked up. It looks up its own names there too.
  struct Call: Hashable {
    let kind: UInt32
    /// False in a block or an override.
    let isCertain: Bool
    /// Whether every rendering calls it.
    let isAlways: Bool
  }
}
