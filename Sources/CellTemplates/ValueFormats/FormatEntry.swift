/// How a value is shown: a format with its options. Consists of 32-bit words, like all entries of archives.
package struct FormatEntry: BitwiseCopyable, Equatable, Sendable {
  /// How long a date is, or which of its fields are shown.
  package enum Length: UInt32, BitwiseCopyable, Sendable {
    case medium = 0
    case short = 1
    case long = 2
    case full = 3
    case monthDay = 4
    case yearMonth = 5
    case weekday = 6
    case monthDayWeekday = 7
    case year = 8
  }

  package struct Marks: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// `sign=always`
    package static let signAlways = Marks(rawValue: 1)
    /// `epoch=s`, `epoch=ms`: the value is a number of seconds or milliseconds since 1970.
    package static let epochSeconds = Marks(rawValue: 2)
    package static let epochMilliseconds = Marks(rawValue: 4)
    /// `symbol=narrow`, `symbol=code`
    package static let symbolNarrow = Marks(rawValue: 8)
    package static let symbolCode = Marks(rawValue: 16)
    /// `list or`
    package static let or = Marks(rawValue: 32)
    /// Beside a `time`, which a date alone does not fit.
    package static let takesTime = Marks(rawValue: 64)
    static let all = Marks(rawValue: 127)
  }

  /// The most digits of a fraction, and the most characters of `truncate`.
  package static let digitLimit: UInt32 = 20
  package static let characterLimit: UInt32 = 100_000
  /// The most formats of an archive.
  package static let limit = 1024

  /// A `FormatKind`.
  package var kind: UInt32
  /// A `Length`.
  package var length: UInt32
  /// `Marks`
  package var marks: UInt32
  /// The fewest and most digits of the fraction; `noIndex` for those that were sent, or the currency's.
  package var leastDigits: UInt32
  package var mostDigits: UInt32
  /// The characters that `truncate` keeps.
  package var characters: UInt32
  /// Three capital letters, the first in the lowest byte; 0 if there are none.
  package var currency: UInt32
  /// Where the data has the currency; `noIndex` if it is not in the data.
  package var currencyPath: UInt32
  /// The format as written, with own names resolved.
  package var text: LiteralRef
  /// A range of the table of variants: what replaces it in some locales.
  package var variantStart: UInt32
  package var variantCount: UInt32

  /// The kind; the archive must be verified.
  package var knownKind: FormatKind {
    guard let kind = FormatKind(rawValue: kind) else { preconditionFailure("the archive must be verified") }
    return kind
  }

  package func has(_ mark: Marks) -> Bool { marks & mark.rawValue != 0 }
}

/// What replaces a format in a locale, and in those that have it as their parent.
package struct FormatVariantEntry: BitwiseCopyable, Equatable, Sendable {
  /// The most names in `formats.json`, those for some locales counted, so that no archive has more variants.
  package static let limit = 4096

  /// The locale's tag.
  package var locale: LiteralRef
  package var format: UInt32
}
