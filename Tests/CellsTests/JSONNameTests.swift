import Scaling
import Testing

@testable import Cells

/// Names are looked up in linear time, also if somebody chose them so that they are alike.
@Suite struct JSONNameTests {
  static let shapes: [@Sendable (Int) -> String] = [
    { "settings_\(1_000_000 + $0)_description" },
    { "\(1_000_000 + $0)" },
    { "\(1_000_000 + $0)_of_a_name_whose_end_is_always_the_same" },
    { "the_same_beginning_of_a_name_\(1_000_000 + $0)" },
    { "the_same_beginning_and_\(1_000_000 + $0)_the_same_end_of_a_long_name" },
    { "n\(1_000_000 + $0)\(1_000_000 + $0)" },
  ]

  @Test(arguments: shapes.indices) func tablesAreMadeInLinearTime(shape: Int) throws {
    let fault = Scaling.fault(
      at: 500, make: { count in (0..<count).map { Array(Self.shapes[shape]($0).utf8) } }
    ) {
      _ = JSONNames($0)
    }
    if let fault { Issue.record("\(Self.shapes[shape](0)): \(fault)") }
  }

  /// Keys that are no name look like the names.
  @Test(arguments: shapes.indices) func keysAreLookedUpInLinearTime(shape: Int) throws {
    let name = Self.shapes[shape]
    let fault = try Scaling.fault(
      at: 500,
      make: { count in
        let keys = (0..<count).map { "\"\(name(count + $0))\":1,\"\(name($0))\":2" }
        return (
          JSONNames((0..<count).map { Array(name($0).utf8) }), "{" + keys.joined(separator: ",") + "}"
        )
      }
    ) { names, text in
      var body = ByteBuffer()
      body.append(text: text)
      _ = try JSONParser().parse(&body, in: 0..<body.count, names: names, depthLimit: 2)
    }
    if let fault { Issue.record("\(name(0)): \(fault)") }
  }
}
