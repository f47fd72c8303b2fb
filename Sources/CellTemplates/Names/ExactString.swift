/// A text that equals another if the bytes do, as names do for browsers and file systems.
///
/// Swift compares strings by canonical equivalence: `é` as one code point equals `é` as two, and hashing such a text
/// takes a normalization of it.
package struct ExactString: Hashable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let text: String

  package init(_ text: String) { self.text = text }

  init(decoding bytes: some Collection<UInt8>) { text = String(decoding: bytes, as: UTF8.self) }

  package init(stringLiteral text: String) { self.text = text }

  package var description: String { text }
  var utf8: String.UTF8View { text.utf8 }
  var isEmpty: Bool { text.isEmpty }

  package static func == (left: ExactString, right: ExactString) -> Bool {
    left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
  }

  package static func < (left: ExactString, right: ExactString) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
