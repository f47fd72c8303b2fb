/// The answer of an `InProcessServer`, as a client would read it.
package struct InProcessAnswer: Sendable {
  package var status: Int
  /// In the order sent; without `Date`, which the connection adds.
  package var headers: [(name: String, value: String)]
  /// Empty for HEAD.
  package var body: [UInt8]
  /// False: a streamed body was broken off.
  package var isComplete: Bool

  package var text: String { String(decoding: body, as: UTF8.self) }

  /// The first header of that name, whatever its case.
  package subscript(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
