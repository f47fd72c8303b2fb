import CellTemplates

/// The output of each escaper, implemented slowly and plainly from the rules alone.
enum EscaperReference {
  static let refusedURL = Array("about:invalid#cell".utf8)
  static let schemes = ["http", "https", "mailto", "tel"]

  /// - Parameter value: JSON for `json`; otherwise the value as text.
  static func escape(_ value: [UInt8], _ escaper: Escaper) -> [UInt8] {
    switch escaper {
    case .none: value
    case .rawHTML: value.flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0] }
    case .text: value.flatMap { markup[$0] ?? [$0] }
    case .html: value.flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : markup[$0] ?? [$0] }
    case .attribute: attribute(value)
    case .url: url(value)
    case .urlPart: part(value)
    case .urlComponent: value.flatMap { unreserved.contains($0) ? [$0] : percent($0) }
    case .urlPathComponent:
      value == [dot] || value == [dot, dot] ? Array("%EF%BF%BD".utf8) : escape(value, .urlComponent)
    case .urlAfterSlash: afterSlash(value)
    case .urlSegment: value.isEmpty ? [UInt8(ascii: ".")] : afterSlash(value)
    case .sameOriginURL: sameOrigin(value)
    case .fragmentURL: trimmed(value).first == UInt8(ascii: "#") ? part(trimmed(value)) : refusedURL
    case .urlList:
      Array(
        value.split { spaces.contains($0) }.map(Array.init).filter { !trimmed($0).isEmpty }.map(url).joined(
          separator: [0x20]))
    case .srcset: sourceSet(value)
    case .urlHost:
      !value.isEmpty
        && value.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-") }
        ? value : refusedURL
    case .srcsetURL: url(commasEncoded(value))
    case .srcsetPart: part(commasEncoded(value))
    case .srcsetAfterSlash: afterSlash(commasEncoded(value))
    case .srcsetSegment: value.isEmpty ? [UInt8(ascii: ".")] : afterSlash(commasEncoded(value))
    case .srcsetDescriptor: isDescriptor(value) ? value : []
    case .style:
      value.allSatisfy { letters.contains($0) || digits.contains($0) || Set(".#%+-".utf8).contains($0) }
        ? value : Array("invalid".utf8)
    case .selectorName:
      value.allSatisfy {
        unreserved.subtracting(".~".utf8).contains($0) || $0 == UInt8(ascii: "_") || $0 >= 0x80
      }
        ? value : Array("invalid".utf8)
    case .json: json(value)
    case .discard: []
    }
  }

  private static let dot = UInt8(ascii: ".")
  private static let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
  private static let digits = Set("0123456789".utf8)
  private static let unreserved = letters.union(digits).union("-._~".utf8)
  private static let urlCharacters = unreserved.union("!#$&*+,/:;=?@[]".utf8)
  private static let spaces: Set<UInt8> = [0x09, 0x0A, 0x0C, 0x0D, 0x20]
  private static let lineEndsAndTabs: Set<UInt8> = [0x09, 0x0A, 0x0D]
  private static let markup: [UInt8: [UInt8]] = [
    UInt8(ascii: "&"): Array("&amp;".utf8), UInt8(ascii: "<"): Array("&lt;".utf8),
    UInt8(ascii: ">"): Array("&gt;".utf8),
    UInt8(ascii: "\""): Array("&quot;".utf8), UInt8(ascii: "'"): Array("&#39;".utf8),
  ]

  private static func attribute(_ value: [UInt8]) -> [UInt8] {
    value.flatMap { byte -> [UInt8] in
      if byte == 0 { return [0xEF, 0xBF, 0xBD] }
      return byte == 0x0D ? Array("&#13;".utf8) : markup[byte] ?? [byte]
    }
  }

  private static func percent(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte / 16)], digits[Int(byte % 16)]]
  }

  private static func trimmed(_ value: [UInt8]) -> [UInt8] {
    var value = value[...]
    while let first = value.first, first <= 0x20 { value.removeFirst() }
    while let last = value.last, last <= 0x20 { value.removeLast() }
    return Array(value)
  }

  private static func part(_ value: [UInt8]) -> [UInt8] {
    let hex = digits.union("abcdefABCDEF".utf8)
    var url: [UInt8] = []
    for (position, byte) in value.enumerated() {
      let isEscape =
        byte == UInt8(ascii: "%") && position + 2 < value.count && hex.contains(value[position + 1])
        && hex.contains(value[position + 2])
      url += isEscape || urlCharacters.contains(byte) ? [byte] : percent(byte)
    }
    return attribute(url)
  }

  /// The text before the first `:`, without tabs and newlines; nil if there is no `:` before the first `/ ?
  /// #`.
  private static func scheme(_ value: [UInt8]) -> String? {
    guard let colon = value.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let before = value[..<colon]
    if before.contains(where: { Set("/?#".utf8).contains($0) }) { return nil }
    let lowered = before.filter { !lineEndsAndTabs.contains($0) }.map {
      $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0
    }
    return String(decoding: lowered, as: UTF8.self)
  }

  private static func url(_ value: [UInt8]) -> [UInt8] {
    if let scheme = scheme(trimmed(value)), !schemes.contains(scheme) { return refusedURL }
    return part(trimmed(value))
  }

  private static func sameOrigin(_ value: [UInt8]) -> [UInt8] {
    let start = trimmed(value).filter { !lineEndsAndTabs.contains($0) }
    if scheme(trimmed(value)) != nil { return refusedURL }
    if start.starts(with: Array("//".utf8)) || start.starts(with: Array("/\\".utf8)) { return refusedURL }
    return part(trimmed(value))
  }

  private static func afterSlash(_ value: [UInt8]) -> [UInt8] {
    let slashes = Set("/\\".utf8)
    let start = value.prefix { slashes.contains($0) }
    return start.flatMap(percent) + part(Array(value[start.count...]))
  }

  private static func commasEncoded(_ value: [UInt8]) -> [UInt8] {
    value.flatMap { $0 == UInt8(ascii: ",") ? percent($0) : [$0] }
  }

  private static func isDescriptor(_ value: [UInt8]) -> Bool {
    value.allSatisfy { letters.contains($0) || digits.contains($0) || Set(". ".utf8).contains($0) }
  }

  /// HTML standard, "parse a srcset attribute", steps 3 to 11, as far as they determine candidates.
  private static func sourceSet(_ value: [UInt8]) -> [UInt8] {
    var rest = value[...]
    var candidates: [[UInt8]] = []
    let comma = UInt8(ascii: ",")
    while true {
      rest = rest.drop { spaces.contains($0) || $0 == comma }
      if rest.isEmpty { break }
      var url = Array(rest.prefix { !spaces.contains($0) })
      rest = rest.dropFirst(url.count)
      let isEnded = url.last == comma
      while let edge = url.last, edge <= 0x20 || edge == comma { url.removeLast() }
      url = Array(url.drop { $0 <= 0x20 || $0 == comma })
      var descriptor: [UInt8] = []
      if !isEnded {
        var depth = 0
        while let byte = rest.first, byte != comma || depth > 0 {
          if byte == UInt8(ascii: "(") { depth = 1 }
          if byte == UInt8(ascii: ")") { depth = 0 }
          descriptor.append(byte)
          rest.removeFirst()
        }
        while let last = descriptor.last, spaces.contains(last) { descriptor.removeLast() }
        descriptor = Array(descriptor.drop { spaces.contains($0) })
      }
      if url.isEmpty { continue }
      let isKept = !descriptor.isEmpty && isDescriptor(descriptor)
      candidates.append(EscaperReference.url(url) + (isKept ? [0x20] + descriptor : []))
    }
    return Array(candidates.joined(separator: Array(", ".utf8)))
  }

  private static func json(_ value: [UInt8]) -> [UInt8] {
    let text = String(decoding: value, as: UTF8.self)
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": result += "\\u003c"
      case ">": result += "\\u003e"
      case "&": result += "\\u0026"
      case "\u{2028}": result += "\\u2028"
      case "\u{2029}": result += "\\u2029"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return Array(result.utf8)
  }
}
