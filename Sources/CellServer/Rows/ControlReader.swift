import Cells
import CellTemplates

/// Collects the controls of a query, pair by pair.
struct ControlReader {
  enum Control: String, CaseIterable {
    case format, fields
    case onError = "on_error"
    case missing
    case unknown
    case action, method, target, targets
    case locale
    case timeZone = "time_zone"
    case now

    /// Whether it is data for a kind that reads a member of this name.
    var yieldsToData: Bool {
      switch self {
      case .format, .fields, .onError, .missing: false
      case .unknown, .action, .method, .target, .targets, .locale, .timeZone, .now: true
      }
    }

    var bit: UInt16 {
      switch self {
      case .format: 1
      case .fields: 2
      case .onError: 4
      case .missing: 8
      case .unknown: 16
      case .action: 32
      case .method: 64
      case .target: 128
      case .targets: 256
      case .locale: 512
      case .timeZone: 1024
      case .now: 2048
      }
    }
  }

  /// The names, for error messages.
  static let list = Control.allCases.map(\.rawValue).joined(separator: ", ")
  private static let formats = RowFormats.all.map(\.name).joined(separator: ", ")

  private(set) var controls = Controls()
  /// A bit for each control that has been taken.
  private var seen: UInt16 = 0

  /// Takes the pair if it is a control. Returns false if it is data. Throws `.badRequest`.
  /// - Parameter isRead: whether rows in the query may have a member of this name.
  mutating func take(
    _ pair: FormPairs.Pair, of text: borrowing Span<UInt8>, isRead: (String) -> Bool = { _ in false }
  ) throws(Problem) -> Bool {
    let sent = FieldName(pair.name, of: text)
    var end = sent.range.lowerBound
    var isSentAsIs = true
    while end < sent.range.upperBound && text[end] != UInt8(ascii: ".") {
      if !Self.isSentAsIs(text[end]) { isSentAsIs = false }
      end += 1
    }
    // Most names are data, and a query may have thousands.
    if isSentAsIs, !Self.isControl(text, pair.name.lowerBound..<end) { return false }
    let name: String
    do throws(PercentDecoding.Fault) {
      name = try PercentDecoding.string(text, pair.name.lowerBound..<end, plusIsSpace: true)
    } catch {
      throw Problem(.badRequest, detail: "the query name \(FormFields.name(pair, text)) \(error.reason)")
    }
    guard let control = Control(rawValue: name) else { return false }
    if control.yieldsToData, isRead(name) { return false }
    if end < sent.range.upperBound {
      throw Problem(.badRequest, detail: "\(name) is a control of the query and cannot contain a dot")
    }
    if sent.isOfJSON {
      throw Problem(
        .badRequest, detail: "\(name) is a control of the query and takes no JSON; write \(name)=…")
    }
    if seen & control.bit != 0 {
      throw Problem(.badRequest, detail: "the query contains the control \(name) more than once")
    }
    seen |= control.bit
    let value: String
    do throws(PercentDecoding.Fault) {
      value = try PercentDecoding.string(text, pair.value, plusIsSpace: true)
    } catch {
      throw Problem(.badRequest, detail: "the value of the control \(name) \(error.reason)")
    }
    try set(control, to: value)
    return true
  }

  private static let names = Control.allCases.map { Array($0.rawValue.utf8) }

  /// Whether the byte means itself in a query.
  private static func isSentAsIs(_ byte: UInt8) -> Bool {
    byte < 0x80 && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "+")
  }

  private static func isControl(_ text: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
    for name in names where name.count == range.count {
      var offset = 0
      while offset < name.count && name[offset] == text[range.lowerBound + offset] { offset += 1 }
      if offset == name.count { return true }
    }
    return false
  }

  private mutating func set(_ control: Control, to value: String) throws(Problem) {
    switch control {
    case .format:
      controls.format = try parse(
        value, of: control, Self.formats, RowFormats.named)
    case .onError:
      controls.onError = try parse(value, of: control, "fail or skip", Controls.OnError.init(rawValue:))
    case .missing:
      controls.missing = try parse(
        value, of: control, "drop, keep, blank or error", MissingPolicy.init(rawValue:))
    case .unknown:
      controls.unknown = try parse(value, of: control, "ignore or error", UnknownPolicy.init(rawValue:))
    case .action:
      controls.stream.action = try parse(
        value, of: control, TurboStreamControls.list, TurboStreamControls.Action.init(rawValue:))
    case .method:
      controls.stream.method = try parse(
        value, of: control, "morph", TurboStreamControls.Method.init(rawValue:))
    case .target: controls.stream.target = try parse(value, of: control, Self.targetWords, Self.target)
    case .targets: controls.stream.targets = try parse(value, of: control, Self.targetWords, Self.target)
    case .locale:
      guard let tag = LocaleTag(value) else {
        throw Problem(.badRequest, detail: RenderTerms.malformedLocaleDetail(value.utf8))
      }
      controls.locale = tag
    case .timeZone: controls.timeZone = value
    case .now:
      guard let now = RenderClock.instant(value.utf8) else {
        throw Problem(.badRequest, detail: RenderTerms.malformedNowDetail(value.utf8))
      }
      controls.now = now
    case .fields:
      controls.fields = []
      for name in value.split(separator: ",", omittingEmptySubsequences: false) {
        let known = "a list of html (or text), etag, class, nib, outlets, actions"
        controls.fields.insert(try parse(String(name), of: control, known, RowFields.init(name:)))
      }
    }
  }

  private static let targetWords = "a text of 1 to \(TurboStreamControls.limitBytes) bytes"

  private static func target(_ text: String) -> String? {
    1...TurboStreamControls.limitBytes ~= text.utf8.count ? text : nil
  }

  private func parse<Value>(
    _ text: String, of control: Control, _ known: String, _ make: (String) -> Value?
  ) throws(Problem) -> Value {
    if let value = make(text) { return value }
    throw Problem(
      .badRequest, detail: "\(control.rawValue) cannot be \(Excerpt.quoted(text)); it must be \(known)")
  }
}
