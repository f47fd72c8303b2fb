import CellTemplates
import Cells
import Scaling
import Testing

@testable import CellServer

/// The cost of the documents that describe an archive is linear in the size of the templates.
@Suite(.serialized) struct DocumentScalingTests {
  struct Shape: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let files: @Sendable (Int) -> [String: String]

    init(_ name: String, _ files: @escaping @Sendable (Int) -> [String: String]) {
      testDescription = name
      self.files = files
    }

    init(_ name: String, content: @escaping @Sendable (Int) -> String) {
      self.init(name) { ["n.html": "<div data-cell=c>\(content($0))</div>"] }
    }
  }

  private static func each(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined()
  }

  static let shapes: [Shape] = [
    Shape("outlets") { each($0) { "<b data-outlet=x\($0)>y</b>" } },
    Shape("outlets with attributes") { each($0) { "<a data-outlet=x\($0) data-bind=\"href title\">y</a>" } },
    Shape("an outlet around many") {
      "<div data-outlet=a>\(each($0) { "<b data-tag=\($0 + 1)>y</b>" })</div>"
    },
    Shape("attributes of one outlet") {
      "<a data-outlet=x data-bind=\"\(each($0) { "data-a\($0) " })\">y</a>"
    },
    Shape("values") { each($0) { "{{a\($0)}}" } },
    Shape("actions") { each($0) { "<b data-action=a\($0 % 256)>y</b>" } },
  ]
  /// Shapes of many kinds.
  static let manyKinds: [Shape] = [
    Shape("calls") { n in
      ["c.mustache": each(n) { "{{>k\($0)}}" }]
        .merging((0..<n).map { ("k\($0).mustache", "{{a}}") }) { $1 }
    },
    Shape("kinds") { n in ["n.html": each(n) { "<b data-cell=k\($0)>{{a}}</b>" }] },
  ]

  private static func archive(_ files: [String: String]) throws -> CellArchive {
    var setup = TargetSetup()
    setup.templates = files
    return try setup.archive()
  }

  @Test(arguments: shapes + manyKinds) func descriptions(_ shape: Shape) throws {
    let fault = try Scaling.fault(
      at: 200, bound: Scaling.strictBound, make: { try Self.archive(shape.files($0)) }
    ) { archive in
      var output = ByteBuffer()
      KindDescription.appendAll(of: archive, to: &output)
    }
    if let fault { Issue.record("\(fault)") }
  }

  @Test(arguments: shapes + manyKinds) func schemas(_ shape: Shape) throws {
    let fault = try Scaling.fault(
      at: 200, bound: Scaling.strictBound, make: { try Self.archive(shape.files($0)) }
    ) { archive in
      var output = ByteBuffer()
      SchemaWriter.append(0, of: archive, to: &output)
    }
    if let fault { Issue.record("\(fault)") }
  }
}
