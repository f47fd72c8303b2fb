package import Cells

/// A JSON value written as Swift literals. Members keep their order.
package indirect enum JSONNode: Sendable {
  case object([(name: String, value: JSONNode)])
  case array([JSONNode])
  case string(String)
  case number(Int)
  case bool(Bool)
  /// A placeholder for a value that is written later.
  case hole

  /// Appends the value as compact JSON. Calls `fill` for each hole.
  package func append(to output: inout ByteBuffer, fill: (inout ByteBuffer) -> Void) {
    switch self {
    case .object(let members):
      output.append("{")
      for (position, member) in members.enumerated() {
        if position > 0 { output.append(",") }
        JSONText.append(string: member.name, to: &output)
        output.append(":")
        member.value.append(to: &output, fill: fill)
      }
      output.append("}")
    case .array(let elements):
      output.append("[")
      for (position, element) in elements.enumerated() {
        if position > 0 { output.append(",") }
        element.append(to: &output, fill: fill)
      }
      output.append("]")
    case .string(let text): JSONText.append(string: text, to: &output)
    case .number(let number): output.append(decimal: number)
    case .bool(let isTrue): output.append(isTrue ? "true" : "false")
    case .hole: fill(&output)
    }
  }

  package static func strings(_ texts: some Sequence<String>) -> JSONNode {
    .array(texts.map { .string($0) })
  }

  /// The object with the members of `more` added. Both must be objects.
  package func with(_ more: JSONNode) -> JSONNode {
    guard case .object(let members) = self, case .object(let others) = more else {
      preconditionFailure("only objects have members")
    }
    return .object(members + others)
  }
}

extension JSONNode: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringInterpolation,
  ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  package init(dictionaryLiteral elements: (String, JSONNode)...) {
    self = .object(elements.map { (name: $0.0, value: $0.1) })
  }
  package init(arrayLiteral elements: JSONNode...) { self = .array(elements) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .number(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}
