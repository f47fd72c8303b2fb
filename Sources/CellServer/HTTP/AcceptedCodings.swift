/// The weights that `Accept-Encoding` gives to codings (RFC 9110, section 12.5.3).
package struct AcceptedCodings: Sendable, Equatable {
  // Weights in thousandths; nil, or negative, if the coding is not listed.
  /// By the number of each `ContentCoding`.
  private var weights = SIMD4<Int16>(repeating: -1)
  private var identity: Int16?
  private var any: Int16?

  package init() {}

  /// Reads one more field line. Malformed elements are ignored.
  package mutating func add(line: String) {
    Array(line.utf8).withUnsafeBytes { add($0) }
  }

  /// The acceptable coding with the highest weight, if that is at least the weight of identity. Earlier ones are preferred
  /// if the weights do not decide.
  package var preferred: ContentCoding? {
    var best: (coding: ContentCoding, weight: Int16)?
    for coding in ContentCoding.all {
      let own = weights[coding.rawValue]
      let weight = own >= 0 ? own : any ?? 0
      if weight > 0, weight >= identity ?? 0, weight > best?.weight ?? 0 { best = (coding, weight) }
    }
    return best?.coding
  }

  /// Whether an uncompressed answer is not acceptable.
  package var refusesIdentity: Bool { (identity ?? any) == 0 }

  /// Same as `add(line:)`, without allocating.
  mutating func add(_ line: UnsafeRawBufferPointer) {
    var start = 0
    while start < line.count {
      var end = start
      while end < line.count, line[end] != UInt8(ascii: ",") { end += 1 }
      addElement(UnsafeRawBufferPointer(rebasing: line[start..<end]))
      start = end + 1
    }
  }

  private mutating func addElement(_ element: UnsafeRawBufferPointer) {
    var end = 0
    while end < element.count, element[end] != UInt8(ascii: ";") { end += 1 }
    let coding = HeaderSyntax.trimmed(UnsafeRawBufferPointer(rebasing: element[..<end]))
    guard HeaderSyntax.isToken(coding) else { return }
    var weight: Int16 = 1000
    if end < element.count {
      let parameter = HeaderSyntax.trimmed(UnsafeRawBufferPointer(rebasing: element[(end + 1)...]))
      guard let read = Self.weight(parameter) else { return }
      weight = read
    }
    if let known = ContentCoding(named: coding) {
      weights[known.rawValue] = max(weights[known.rawValue], weight)
    } else if HeaderSyntax.matches(coding, "identity") {
      identity = weight
    } else if HeaderSyntax.equals(coding, "*") {
      any = weight
    }
  }

  /// Parses `q=0.5` to thousandths; nil if malformed.
  private static func weight(_ parameter: UnsafeRawBufferPointer) -> Int16? {
    guard parameter.count >= 3, parameter.count <= 7, parameter[0] | 0x20 == UInt8(ascii: "q"),
      parameter[1] == UInt8(ascii: "="),
      parameter[2] == UInt8(ascii: "0") || parameter[2] == UInt8(ascii: "1"),
      parameter.count == 3 || parameter[3] == UInt8(ascii: ".")
    else { return nil }
    var weight = Int16(parameter[2] - UInt8(ascii: "0")) * 1000
    var unit: Int16 = 100
    for digit in parameter.dropFirst(4) {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      weight += Int16(digit - UInt8(ascii: "0")) * unit
      unit /= 10
    }
    return weight <= 1000 ? weight : nil
  }
}
