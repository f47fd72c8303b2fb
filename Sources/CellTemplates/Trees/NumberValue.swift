/// The value of a JSON number, however it is written: `1`, `1.0` and `10e-1` have one.
struct NumberValue: Hashable {
  private let isNegative: Bool
  /// Without zeros at both ends; empty for zero.
  private let digits: ArraySlice<UInt8>
  /// The decimal places before the first digit. Exponents from 10^17 on are not told apart.
  private let exponent: Int

  /// - Parameter number: valid by the grammar of JSON. Cost: linear.
  init(_ number: [UInt8]) {
    let isNegative = number.first == UInt8(ascii: "-")
    let mark = number.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? number.count
    let mantissa = number[(isNegative ? 1 : 0)..<mark]
    let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
    let written = mantissa.filter { $0 != UInt8(ascii: ".") }
    let zeros = written.prefix { $0 == UInt8(ascii: "0") }.count
    var digits = written[zeros...]
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    self.digits = digits
    self.isNegative = isNegative && !digits.isEmpty
    let places = point - mantissa.startIndex - zeros
    exponent = digits.isEmpty ? 0 : Self.exponent(in: number[mark...].dropFirst()) + places
  }

  private static func exponent(in text: ArraySlice<UInt8>) -> Int {
    let most = 1_000_000_000_000_000_000
    let (isNegative, digits) = (text.first == UInt8(ascii: "-"), text.drop { $0 < UInt8(ascii: "0") })
    let value = digits.reduce(0) { $0 >= most / 10 ? most : $0 * 10 + Int($1 & 0xF) }
    return isNegative ? -value : value
  }
}
