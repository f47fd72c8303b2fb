/// A direct recursive implementation of RFC 8259, written for clarity instead of speed. The parser is
/// compared with it; they share no code.
indirect enum JSONReference: Equatable {
  case literal(String)
  case number(String)
  case string([Unicode.Scalar])
  case array([JSONReference])
  /// In the order sent, including repeated names.
  case object([(name: [Unicode.Scalar], value: JSONReference)])

  static func == (left: JSONReference, right: JSONReference) -> Bool { left.printed == right.printed }

  /// Returns nil if the text is not JSON or deeper than `depthLimit`.
  init?(_ bytes: [UInt8], depthLimit: Int) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var reader = Reader(rest: Array(text.unicodeScalars)[...], depthLimit: depthLimit)
    reader.skipSpace()
    guard let value = reader.value() else { return nil }
    reader.skipSpace()
    guard reader.rest.isEmpty else { return nil }
    self = value
  }

  /// Compact JSON; a repeated name appears once, at its first position, with its last value.
  var printed: String {
    switch self {
    case .literal(let text), .number(let text): return text
    case .string(let scalars): return Self.quoted(scalars)
    case .array(let elements): return "[" + elements.map(\.printed).joined(separator: ",") + "]"
    case .object(let members):
      var order: [[Unicode.Scalar]] = []
      var last: [[Unicode.Scalar]: JSONReference] = [:]
      for (name, value) in members where last.updateValue(value, forKey: name) == nil { order.append(name) }
      return "{" + order.map { Self.quoted($0) + ":" + last[$0]!.printed }.joined(separator: ",") + "}"
    }
  }

  private static let shortEscapes: [Unicode.Scalar: String] = [
    "\"": "\\\"", "\\": "\\\\", "\u{8}": "\\b", "\u{C}": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t",
  ]

  private static func quoted(_ scalars: [Unicode.Scalar]) -> String {
    var text = "\""
    for scalar in scalars {
      if let escape = shortEscapes[scalar] {
        text += escape
      } else if scalar.value < 0x20 {
        text += scalar.value < 0x10 ? "\\u000" : "\\u00"
        text += String(scalar.value, radix: 16)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

extension JSONReference {
  private struct Reader {
    var rest: ArraySlice<Unicode.Scalar>
    let depthLimit: Int
    var depth = 0

    mutating func skipSpace() { rest = rest.drop { " \t\n\r".unicodeScalars.contains($0) } }

    mutating func take(_ text: String) -> Bool {
      guard rest.starts(with: text.unicodeScalars) else { return false }
      rest = rest.dropFirst(text.unicodeScalars.count)
      return true
    }

    mutating func value() -> JSONReference? {
      for literal in ["true", "false", "null"] where take(literal) { return .literal(literal) }
      switch rest.first {
      case "\"": return string().map(JSONReference.string)
      case "[", "{":
        depth += 1
        defer { depth -= 1 }
        guard depth <= depthLimit else { return nil }
        return take("[") ? array() : take("{") ? object() : nil
      default: return number()
      }
    }

    mutating func array() -> JSONReference? {
      var elements: [JSONReference] = []
      skipSpace()
      if take("]") { return .array([]) }
      while true {
        skipSpace()
        guard let element = value() else { return nil }
        elements.append(element)
        skipSpace()
        if take("]") { return .array(elements) }
        guard take(",") else { return nil }
      }
    }

    mutating func object() -> JSONReference? {
      var members: [(name: [Unicode.Scalar], value: JSONReference)] = []
      skipSpace()
      if take("}") { return .object([]) }
      while true {
        skipSpace()
        guard let name = string() else { return nil }
        skipSpace()
        guard take(":") else { return nil }
        skipSpace()
        guard let value = value() else { return nil }
        members.append((name, value))
        skipSpace()
        if take("}") { return .object(members) }
        guard take(",") else { return nil }
      }
    }

    mutating func digits() -> String {
      let run = rest.prefix { ("0"..."9").contains($0) }
      rest = rest.dropFirst(run.count)
      return String(String.UnicodeScalarView(run))
    }

    mutating func number() -> JSONReference? {
      var text = take("-") ? "-" : ""
      let whole = digits()
      if whole.isEmpty || (whole.count > 1 && whole.hasPrefix("0")) { return nil }
      text += whole
      if take(".") {
        let fraction = digits()
        if fraction.isEmpty { return nil }
        text += "." + fraction
      }
      for mark in ["e", "E"] where take(mark) {
        text += mark
        for sign in ["+", "-"] where take(sign) {
          text += sign
          break
        }
        let exponent = digits()
        if exponent.isEmpty { return nil }
        return .number(text + exponent)
      }
      return .number(text)
    }

    mutating func unit() -> UInt32? {
      let four = rest.prefix(4)
      guard four.count == 4, four.allSatisfy({ $0.properties.isASCIIHexDigit }) else { return nil }
      rest = rest.dropFirst(4)
      return UInt32(String(String.UnicodeScalarView(four)), radix: 16)
    }

    mutating func string() -> [Unicode.Scalar]? {
      guard take("\"") else { return nil }
      var scalars: [Unicode.Scalar] = []
      while let scalar = rest.popFirst() {
        if scalar == "\"" { return scalars }
        if scalar.value < 0x20 { return nil }
        if scalar != "\\" {
          scalars.append(scalar)
          continue
        }
        switch rest.popFirst() {
        case "\"": scalars.append("\"")
        case "\\": scalars.append("\\")
        case "/": scalars.append("/")
        case "b": scalars.append("\u{8}")
        case "f": scalars.append("\u{C}")
        case "n": scalars.append("\n")
        case "r": scalars.append("\r")
        case "t": scalars.append("\t")
        case "u":
          guard let first = unit() else { return nil }
          if let single = Unicode.Scalar(first) {
            scalars.append(single)
            continue
          }
          guard first < 0xDC00, take("\\u"), let second = unit(), (0xDC00...0xDFFF).contains(second) else {
            return nil
          }
          scalars.append(Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))!)
        default: return nil
        }
      }
      return nil
    }
  }
}
