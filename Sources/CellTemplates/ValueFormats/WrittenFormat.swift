/// How a value is shown, as a template says it: `currency EUR`, `date long`. `FormatKind` has what there is.
///
/// An object, so that the nodes of trees are small: nested sections are walked recursively.
final class WrittenFormat: Hashable, @unchecked Sendable {
  // Sendable because nothing changes once it is read.
  var kind: FormatKind
  var length: FormatEntry.Length
  var marks: FormatEntry.Marks = []
  /// The digits of the fraction; nil for those that were sent, or the currency's.
  var digits: ClosedRange<UInt32>?
  /// The characters that `truncate` keeps.
  var characters: UInt32 = 0
  var currency: Currency?
  /// As written, with own names resolved.
  var text: String
  /// What replaces it in some locales.
  var variants: [Variant] = []

  init(kind: FormatKind, marks: FormatEntry.Marks = [], text: String) {
    self.kind = kind
    // Times alone have no seconds unless they are asked for.
    length = kind == .time ? .short : .medium
    self.marks = marks
    self.text = text
  }

  enum Currency: Hashable, Sendable {
    /// Three capital letters.
    case code([UInt8])
    /// A name of the data.
    case name([String])
  }

  struct Variant: Hashable, Sendable {
    let locale: String
    let format: WrittenFormat
  }

  /// The name of the data that it reads besides the value.
  var currencyName: [String]? {
    if case .name(let segments)? = currency { segments } else { nil }
  }

  /// It and what replaces it in some locales.
  var everywhere: [WrittenFormat] { [self] + variants.map(\.format) }

  static func == (left: WrittenFormat, right: WrittenFormat) -> Bool {
    left.kind == right.kind && left.length == right.length && left.marks == right.marks
      && left.digits == right.digits && left.characters == right.characters && left.currency == right.currency
      && left.text.utf8.elementsEqual(right.text.utf8) && left.variants == right.variants
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension FormatEntry.Marks: Hashable {}

/// A section about the plural category of a number: `plural one`, `plural =0`.
final class PluralRule {
  /// The categories, a bit each: see `ConditionEntry.Categories`.
  var categories: UInt32 = 0
  var isOrdinal = false
  /// The numbers of `=N`, as written.
  var numbers: [[UInt8]] = []

  init() {}
}
