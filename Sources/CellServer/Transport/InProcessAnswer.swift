/// The answer of an `InProcessServer`, as a client would receive it.
package struct InProcessAnswer: Sendable {
  package var status: Int
  /// In the order sent, without `Date`, which the connection adds.
  package var headers: [(name: String, value: String)]
  /// Empty for HEAD.
  package var body: [UInt8]
  /// False if a streamed body was cut off.
  package var isComplete: Bool

  package var text: String { String(decoding: body, as: UTF8.self) }

  /// The first header with that name, ignoring case.
  package subscript(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
