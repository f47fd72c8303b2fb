/// Changes rows at random, the same way in every run: drops, repeats and reorders members, and replaces
/// values by others of any type.
struct RowMutator: RandomNumberGenerator {
  private var state: UInt64
  /// The names used in the rows, so that values can hide each other.
  private let names: [String]

  init(seed: UInt64, names: [String]) {
    state = seed
    self.names = names
  }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
  private mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  mutating func mutated(_ row: JSONTree) -> JSONTree {
    var row = row
    for _ in 0...below(4) { mutate(&row) }
    return row
  }

  private mutating func mutate(_ tree: inout JSONTree) {
    switch tree {
    case .object(var members) where !members.isEmpty && !oneIn(12):
      let position = below(members.count)
      switch below(8) {
      case 0: members.remove(at: position)
      case 1: members.shuffle(using: &self)
      case 2:
        let copy = JSONTree.Member(name: members[position].name, value: value(depth: 2))
        members.insert(copy, at: below(members.count + 1))
      case 3: members[position].name = name()
      case 4: members.insert(JSONTree.Member(name: name(), value: value(depth: 2)), at: position)
      case 5: members[position].value = value(depth: 3)
      default: mutate(&members[position].value)
      }
      tree = .object(members)
    case .array(var items) where !items.isEmpty && !oneIn(6):
      let position = below(items.count)
      switch below(3) {
      case 0: items[position] = value(depth: 3)
      case 1: items.insert(value(depth: 2), at: position)
      default: mutate(&items[position])
      }
      tree = .array(items)
    default:
      tree = oneIn(4) ? .array([tree, value(depth: 1)]) : value(depth: 3)
    }
  }

  /// One of the rows' names, or a name that no template uses.
  private mutating func name() -> String { oneIn(6) ? "unknown" : names[below(names.count)] }

  private mutating func value(depth: Int) -> JSONTree {
    if depth > 0, oneIn(4) {
      return .array((0..<below(4)).map { _ in value(depth: depth - 1) })
    }
    if depth > 0, oneIn(3) {
      return .object(
        (0..<below(5)).map { _ in JSONTree.Member(name: name(), value: value(depth: depth - 1)) })
    }
    return .scalar(Self.scalars[below(Self.scalars.count)])
  }

  private static let scalars = [
    "null", "true", "false", "0", "-0.00", "0e5", "17", "-1.50", "12345678901234567890.12345",
    #""""#, #""a""#, #""<&>\"'""#, #""carriage\rreturn""#, #""nul\u0000nul""#, #""sixteen bytes 16""#,
    #""sixteen bytes <6""#, #""more than sixteen bytes, and nothing to escape in any of them at all""#,
    #""more than sixteen bytes & a \"quote\" or <two>, behind what fills a vector of thirty-two bytes''''""#,
    #""https://example.org/?a=1&b=2""#, #""http://example.org/ü ö""#, #""HTTPS:x""#, #"" /trimmed ""#,
    #""javascript:alert(1)""#, #""\u0001javascript:alert(1)""#, #""mailto:a@example.org""#,
    #""java\tscript:x""#,
    #""?q=%zz%41""#, ##""#top""##, #""plain/path""#, #""http""#,
  ]
}
