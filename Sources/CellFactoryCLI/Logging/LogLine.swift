import Logging

/// Writes one log line from left to right: `init`, fields, `end`.
///
/// In JSON, fields are members of one object; a field with the name of a built-in member gets the suffix `_`.
struct LogLine<Sink: ByteSink> {
  private let format: LogFormat
  private(set) var sink: Sink

  init(_ format: LogFormat, _ time: LogTime, _ level: Logger.Level, _ message: String, into sink: Sink) {
    self.format = format
    self.sink = sink
    switch format {
    case .text:
      time.append(to: &self.sink)
      put(" ")
      LogEscaping.appendLine(level.rawValue, to: &self.sink)
      put(" ")
      LogEscaping.appendLine(message, to: &self.sink)
    case .json:
      put("{\"time\":\"")
      time.append(to: &self.sink)
      put("\",\"level\":\"")
      LogEscaping.appendLine(level.rawValue, to: &self.sink)
      put("\",\"message\":")
      LogEscaping.appendQuoted(message, to: &self.sink)
    }
  }

  mutating func field(_ name: StaticString, _ text: String, limitBytes: Int = LogEscaping.limitBytes) {
    begin(name)
    value(text, limitBytes: limitBytes)
  }

  mutating func field(_ name: StaticString, _ number: Int) {
    begin(name)
    appendNumber(number)
  }

  /// Appends numbers as hexadecimal, 16 digits each.
  mutating func field(_ name: StaticString, hex high: UInt64? = nil, _ low: UInt64) {
    begin(name)
    if format == .json { put("\"") }
    if let high { appendHex(high) }
    appendHex(low)
    if format == .json { put("\"") }
  }

  mutating func field(_ name: String, _ content: Logger.MetadataValue) {
    switch format {
    case .text:
      put(" ")
      LogEscaping.appendWord(name, to: &sink)
      put("=")
    case .json:
      put(",")
      LogEscaping.appendQuoted(Self.own.contains(name) ? name + "_" : name, to: &sink)
      put(":")
    }
    append(content, depth: 0)
  }

  /// Completes the line.
  consuming func end() -> Sink {
    if format == .json { put("}") }
    sink.append(UInt8(ascii: "\n"))
    return sink
  }

  private static var own: [String] { ["time", "level", "message"] }

  /// - Parameter name: must need no escaping and must not be the name of a built-in member.
  private mutating func begin(_ name: StaticString) {
    put(format == .json ? ",\"" : " ")
    put(name)
    put(format == .json ? "\":" : "=")
  }

  private mutating func value(_ text: String, limitBytes: Int = LogEscaping.limitBytes) {
    switch format {
    case .text: LogEscaping.appendWord(text, limitBytes: limitBytes, to: &sink)
    case .json: LogEscaping.appendQuoted(text, limitBytes: limitBytes, to: &sink)
    }
  }

  /// Arrays and objects are written as JSON in both formats. Excessive nesting is dropped.
  private mutating func append(_ content: Logger.MetadataValue, depth: Int) {
    switch content {
    case .string(let text) where depth == 0: value(text)
    case .string(let text): LogEscaping.appendQuoted(text, to: &sink)
    case .stringConvertible(let thing):
      switch thing {
      case let number as Int: appendNumber(number)
      case let flag as Bool: put(flag ? "true" : "false")
      case let number as Double where number.isFinite: LogEscaping.appendLine("\(number)", to: &sink)
      default: append(.string("\(thing)"), depth: depth)
      }
    case .array where depth > 8, .dictionary where depth > 8: put("null")
    case .array(let items):
      put("[")
      for (position, item) in items.enumerated() {
        if position > 0 { put(",") }
        append(item, depth: depth + 1)
      }
      put("]")
    case .dictionary(let members):
      put("{")
      for (position, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if position > 0 { put(",") }
        LogEscaping.appendQuoted(member.key, to: &sink)
        put(":")
        append(member.value, depth: depth + 1)
      }
      put("}")
    }
  }

  private mutating func appendHex(_ number: UInt64) {
    let digits = (
      LogEscaping.hexDigits(UInt32(truncatingIfNeeded: number >> 32)).bigEndian,
      LogEscaping.hexDigits(UInt32(truncatingIfNeeded: number)).bigEndian
    )
    // Two contiguous words, read only within this call.
    withUnsafeBytes(of: digits) { sink.append($0) }
  }

  private mutating func appendNumber(_ number: Int) {
    if number < 0 { put("-") }
    var divisor: UInt = 1
    let magnitude = number.magnitude
    while magnitude / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      sink.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude / divisor % 10))
      divisor /= 10
    }
  }

  private mutating func put(_ literal: StaticString) { LogEscaping.append(literal, to: &sink) }
}
