/// A name that templates look up, or one part of a dotted name.
package struct NameEntry: BitwiseCopyable, Equatable, Sendable {
  package var text: LiteralRef
  /// The name as an index into a list, if it is one (`0`, `17`); otherwise none.
  package var listIndex: UInt32
}

extension NameEntry {
  /// The name as an index into a list: `0`, `7`, `123`, decimal, without leading zeros, small enough for any
  /// list. `noIndex` for any other name.
  package static func listIndex(of name: some Collection<UInt8>) -> UInt32 {
    let isDigits = name.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    guard isDigits, name.first != UInt8(ascii: "0") || name.count == 1,
      let number = UInt32(String(decoding: name, as: UTF8.self)), number < UInt32(Int32.max)
    else { return noIndex }
    return number
  }
}
