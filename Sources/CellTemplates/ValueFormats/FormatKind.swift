/// What shows a value: the first word of a format, such as `currency` in `currency EUR`.
///
/// To add one, add it here, and its name to `FormatParser`; `OptionReader` reads its options. `printText` in `Renderer+Formats`
/// prints those that take texts. Numbers and dates are printed in `CFormats`, by the formatter that `CFormat+Entry` chooses; lists
/// in `Renderer+Lists`, with words from `CFormats`.
package enum FormatKind: UInt32, BitwiseCopyable, Sendable, CaseIterable {
  case number = 0
  case integer = 1
  case percent = 2
  case currency = 3
  case date = 4
  case time = 5
  case datetime = 6
  case relative = 7
  case list = 8
  case truncate = 9
  /// The attribute of `<time>` that programs read: ` datetime="…"`, or nothing if the value does not fit.
  case machineDate = 10
  /// The same of `<data>`: ` value="…"`.
  case machineNumber = 11

  /// What fits it.
  package enum Value: Sendable {
    case number
    /// A date, an instant or a local time.
    case date
    case list
    case text
  }

  package var takes: Value {
    switch self {
    case .number, .integer, .percent, .currency, .machineNumber: .number
    case .date, .time, .datetime, .relative, .machineDate: .date
    case .list: .list
    case .truncate: .text
    }
  }

  /// Whether it may replace another in some locales: an outlet with a list is repeated, in every locale alike.
  package func isVariant(of kind: FormatKind) -> Bool {
    (self == .list) == (kind == .list) && !isMachine && !kind.isMachine
  }

  /// The marks of the attribute that programs read of a value that this kind shows with some marks.
  package func machineMarks(_ marks: FormatEntry.Marks) -> FormatEntry.Marks {
    let epochs = marks.intersection([.epochSeconds, .epochMilliseconds])
    return self == .time ? epochs.union(.takesTime) : epochs
  }

  /// Whether it is an attribute that programs read.
  package var isMachine: Bool { self == .machineDate || self == .machineNumber }
}
