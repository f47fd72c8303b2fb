/// A condition of `data-when`, or one that decides a boolean attribute or a token. Consists of 32-bit words, like all
/// archive table rows.
package struct ConditionEntry: BitwiseCopyable, Equatable, Sendable {
  /// The most numbers that a plural compares with.
  static let pluralNumberLimit: UInt32 = 64

  package enum Comparison: UInt32, BitwiseCopyable, Sendable {
    /// `PATH`
    case truthy = 0
    /// `!PATH`
    case falsy = 1
    /// `PATH=…`: equals one of the literals.
    case equal = 2
    /// `PATH!=…`: equals none of them.
    case notEqual = 3
    // The number of the only literal.
    case less = 4
    case lessOrEqual = 5
    case greater = 6
    case greaterOrEqual = 7
    /// The number is one of the first literals; or it is none of any of them, and has one of the categories.
    case plural = 8

    /// Whether there are literals.
    package var compares: Bool { self != .truthy && self != .falsy }
    /// Whether there is one literal, which is a number or a path.
    package var orders: Bool { rawValue >= Self.less.rawValue && self != .plural }
  }

  /// A `Comparison`.
  package var comparison: UInt32
  package var path: UInt32
  /// A range of the table of literals.
  package var literalStart: UInt32
  package var literalCount: UInt32
  /// `Categories`, for a plural.
  package var categories: UInt32

  package init(
    _ comparison: Comparison, path: UInt32, literalStart: UInt32 = 0, literalCount: UInt32 = 0,
    categories: Categories = Categories(rawValue: 0)
  ) {
    self.categories = categories.rawValue
    self.comparison = comparison.rawValue
    self.path = path
    self.literalStart = literalStart
    self.literalCount = literalCount
  }
}

extension ConditionEntry {
  /// What a plural asks about a number.
  package struct Categories: BitwiseCopyable, Equatable, Sendable {
    /// CLDR's categories; the number of each is its place.
    package static let names = ["zero", "one", "two", "few", "many", "other"]

    /// From the lowest bit: one for each category; at 8, whether the categories are those of ordinals; at 9, whether the
    /// outcome is the inverse; at 10, whether it holds where there is no value; from 11 to 13, the policy that judges the
    /// count of a case, plus 1, or 0 if its element is not always reached; at 14, whether it is about the element with
    /// the cases, which that policy may drop; at 15, whether such an element is always reached; from 16 on, how many of the first literals are the rule's own.
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    init(
      _ categories: UInt32, isOrdinal: Bool, isInverted: Bool = false, isDefault: Bool = false,
      policy: MissingPolicy.Own? = nil, ownCount: Int
    ) {
      rawValue =
        categories | (isOrdinal ? 1 << 8 : 0) | (isInverted ? 1 << 9 : 0)
        | (isDefault ? 1 << 10 : 0) | (policy.map { $0.rawValue + 1 } ?? 0) << 11 | UInt32(ownCount) << 16
    }

    /// Whether an element with cases is there: unless the policy drops it because there is no count.
    init(ofElement policy: MissingPolicy.Own, isReached: Bool) {
      let all = Self(
        (1 << Self.names.count) - 1, isOrdinal: false, isDefault: true, policy: policy, ownCount: 0)
      self.init(rawValue: all.rawValue | 1 << 14 | (isReached ? 1 << 15 : 0))
    }

    package func has(_ category: UInt32) -> Bool { rawValue >> category & 1 == 1 }
    package var isOrdinal: Bool { rawValue >> 8 & 1 == 1 }
    package var isInverted: Bool { rawValue >> 9 & 1 == 1 }
    package var isDefault: Bool { rawValue >> 10 & 1 == 1 }
    package var isOfElement: Bool { rawValue >> 14 & 1 == 1 }
    private var isReachedElement: Bool { rawValue >> 15 & 1 == 1 }
    /// The policy that judges the count; nil if its element is not always reached.
    package var policy: MissingPolicy.Own? { isOfElement && !isReachedElement ? nil : writtenPolicy }
    /// The policy that drops an element; nil if this is about none.
    package var elementPolicy: MissingPolicy.Own? { isOfElement ? writtenPolicy : nil }
    private var writtenPolicy: MissingPolicy.Own? {
      rawValue >> 11 & 7 == 0 ? nil : MissingPolicy.Own(rawValue: (rawValue >> 11 & 7) - 1)
    }
    package var ownCount: Int { Int(rawValue >> 16) }
    var isKnown: Bool {
      rawValue & 0xC0 == 0 && (isOfElement || !isReachedElement)
        && (rawValue >> 11 & 7 == 0 ? !isOfElement : writtenPolicy != nil)
    }
  }
}

/// What a condition compares a value with.
package struct ConditionLiteralEntry: BitwiseCopyable, Equatable, Sendable {
  package enum Form: UInt32, BitwiseCopyable, Sendable {
    /// Equals strings of the same bytes, numbers that denote the same number, and the values `true`, `false`, `null`.
    case word = 0
    /// Equals strings only.
    case quoted = 1
    /// The value of a path.
    case path = 2
  }

  /// The most bytes of a word. A number that a row has is compared with all digits of the word, whatever they are.
  static let wordLimitBytes = 1024

  /// A `Form`.
  package var form: UInt32
  package var text: LiteralRef
  /// `noIndex` unless it is a path.
  package var path: UInt32

  package init(_ form: Form, text: LiteralRef, path: UInt32 = noIndex) {
    self.form = form.rawValue
    self.text = text
    self.path = path
  }

  /// Whether a text is a JSON number: RFC 8259, section 6.
  static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = text
    func take(_ isTaken: (UInt8) -> Bool) -> Int {
      let count = rest.prefix(while: isTaken).count
      rest.removeFirst(count)
      return count
    }
    let isDigit = { (byte: UInt8) in byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    if rest.first == UInt8(ascii: "0") { rest.removeFirst() } else if take(isDigit) == 0 { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      if take(isDigit) == 0 { return false }
    }
    if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
      rest.removeFirst()
      if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest.removeFirst() }
      if take(isDigit) == 0 { return false }
    }
    return rest.isEmpty
  }
}
