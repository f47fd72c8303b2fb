@testable import CellServer
import Foundation
import Testing

/// docs/metrics.md lists exactly the exported metrics, each with its type and labels.
@Suite struct MetricsDocumentTests {
  struct Row: Equatable {
    var type: String
    var labels: Set<String>
  }

  static func page(_ name: String) throws -> String {
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
    return try String(contentsOfFile: "\(folder)/docs/\(name)", encoding: .utf8)
  }

  static func documented() throws -> [String: Row] {
    let text = try page("metrics.md")
    var rows: [String: Row] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      let name = cells[1].replacing("`", with: "")
      let labels = cells[3].split(separator: ", ").map { String($0).replacing("`", with: "") }
      #expect(cells.count == 7 && rows[name] == nil && !cells[4].isEmpty, "\(line)")
      rows[name] = Row(type: cells[2], labels: Set(labels))
    }
    return rows
  }

  /// The names of a sample's labels.
  static func labels(_ sample: String) -> Set<String> {
    Set(sample.matches(of: #/([a-z_]+)="/#).map { String($0.output.1) })
  }

  @Test func thePageListsExactlyTheExportedMetrics() async throws {
    let target = try MetricsLiveTests.target()
    // So that every metric has a sample.
    _ = try await target.ask(.post("/cells/dot", "[1]"))
    let scrape = try await MetricsLiveTests.scrape(target)
    let documented = try Self.documented()
    #expect(Set(scrape.types.keys).symmetricDifference(documented.keys) == [])
    for (name, row) in documented {
      #expect(scrape.types[name] == row.type, "\(name)")
      let suffix = row.type == "histogram" ? "_count" : ""
      let samples = scrape.samples(of: name + suffix)
      #expect(!samples.isEmpty, "\(name)")
      for sample in samples.keys { #expect(Self.labels(sample) == row.labels, "\(name)\(sample)") }
    }
  }

  @Test func thePageListsTheValuesOfLabels() throws {
    let page = try Self.page("metrics.md")
    var values =
      RefusalReason.allCases.map { $0.label.description } + CutReason.allCases.map { $0.label.description }
    values += Endpoints.all.map { $0.path.description }
    for value in values where value != "/" { #expect(page.contains("`\(value)`"), "\(value)") }
  }

  @Test func thePageOfHTTPNamesEveryEndpoint() throws {
    let page = try Self.page("http.md")
    for endpoint in Endpoints.all where endpoint.path.description != "/" {
      // The page writes {kind} as KIND.
      let path = endpoint.path.description.replacing("{kind}", with: "KIND").replacing("{path}", with: "")
      // A longer path does not name a shorter one.
      let isNamed = page.ranges(of: path).contains { range in
        path.hasSuffix("/") || page[range.upperBound...].first?.isPartOfPath != true
      }
      #expect(isNamed, "\(path)")
    }
  }

  @Test func namesFollowPrometheus() throws {
    for (name, row) in try Self.documented() {
      #expect(name.wholeMatch(of: #/(cellfactory|process)_[a-z]+(_[a-z]+)*/#) != nil, "\(name)")
      #expect((row.type == "counter") == name.hasSuffix("_total"), "\(name)")
      #expect(row.type != "histogram" || name.hasSuffix("_seconds"), "\(name)")
      #expect(["counter", "gauge", "histogram"].contains(row.type), "\(name)")
    }
  }
}

extension Character {
  fileprivate var isPartOfPath: Bool { isLetter || isNumber || "/._-".contains(self) }
}
