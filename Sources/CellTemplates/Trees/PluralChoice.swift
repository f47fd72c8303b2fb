/// The cases of an element with `data-plural`: its children with `data-case`, of which one is printed.
///
/// An object, because the first case is walked before the others are known. Belongs to one template's walk.
final class PluralChoice {
  let path: MustacheName
  let isOrdinal: Bool
  /// By the offsets of their elements.
  private(set) var rules: [Int: PluralRule] = [:]
  /// A number for each value that a case compares with, however it is written, and those of each case.
  private var values: [NumberValue: Int] = [:]
  private var valuesOfRules: [Int: [Int]] = [:]
  private var numberCount = 0
  /// How many numbers all cases compare with.
  var comparedCount: Int { rules.count * numberCount }
  /// Whether it, or a case of it, was reported, so that what follows from that is not.
  var isFaulty = false

  init(path: MustacheName, isOrdinal: Bool) {
    self.path = path
    self.isOrdinal = isOrdinal
  }

  /// One whose count has no name.
  static var faulty: PluralChoice {
    let choice = PluralChoice(path: MustacheName(segments: ["."]), isOrdinal: false)
    choice.isFaulty = true
    return choice
  }

  /// The most cases of a choice. Each compares with the numbers of all.
  static let caseLimit = 64
  /// The most numbers of all cases together.
  static let numberLimit = Int(ConditionEntry.pluralNumberLimit)

  /// - Returns: false, and adds nothing, if there are too many.
  func add(_ rule: PluralRule, at: Int) -> Bool {
    guard rules.count < Self.caseLimit, numberCount + rule.numbers.count <= Self.numberLimit else {
      isFaulty = true
      return false
    }
    rules[at] = rule
    valuesOfRules[at] = rule.numbers.map { number in
      let value = NumberValue(number)
      if let known = values[value] { return known }
      values[value] = values.count
      return values.count - 1
    }
    numberCount += rule.numbers.count
    return true
  }

  /// Whether there is a case for what fits no other.
  var hasOther: Bool { rules.values.contains { $0.categories >> Self.other & 1 == 1 } }

  /// What a case asks: the first with the number is printed, else the first with the category, else `other`.
  func question(at: Int) -> Question {
    var (taken, asked) = (UInt32(0), Set<Int>())
    var question = Question()
    for (position, rule) in rules.sorted(by: { $0.key < $1.key }) {
      let own = zip(rule.numbers, valuesOfRules[position] ?? []).filter { asked.insert($1).inserted }.map(\.0)
      let categories = rule.categories & ~taken
      if position == at {
        question.numbers = own
        question.categories = categories
      } else {
        question.others += own
      }
      taken |= categories
    }
    if question.categories >> Self.other & 1 == 1 {
      // It stands for every category that no case has.
      question.categories |= ~taken & 0x3F
      question.isDefault = true
    }
    return question
  }

  struct Question {
    var categories: UInt32 = 0
    var numbers: [[UInt8]] = []
    /// The numbers of other cases.
    var others: [[UInt8]] = []
    /// Whether it is printed where there is no number at all.
    var isDefault = false
  }

  /// The place of `other` among the categories.
  private static let other: UInt32 = 5
}
