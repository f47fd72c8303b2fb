import Foundation
import Testing

@testable import CellFactoryCLI

/// Everything named by the documents exists: files, headings, `make` targets, suites, settings.
@Suite struct DocumentTests {
  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: Package.folder + "/" + path)
  }

  @Test(arguments: DocumentPage.paths) func linksAreValid(path: String) throws {
    let page = try DocumentPage(path)
    let folder = URL(fileURLWithPath: "/" + path).deletingLastPathComponent()
    for link in page.links {
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let target =
        parts[0].isEmpty
        ? path : String(folder.appendingPathComponent(parts[0]).standardized.path.dropFirst())
      #expect(Self.exists(target), "\(path): \(link)")
      if parts.count > 1 {
        #expect(try DocumentPage(target).anchors.contains(parts[1]), "\(path): \(link)")
      }
    }
  }

  @Test func everyPageIsReachedFromTheReadme() throws {
    let links = Set(try DocumentPage("README.md").links)
    for path in DocumentPage.paths where path != "README.md" && path != "CHANGELOG.md" {
      #expect(links.contains(path), "\(path)")
    }
  }

  @Test func theReadmeIsShort() throws {
    #expect(try DocumentPage("README.md").lineCount <= 150)
  }

  @Test(arguments: DocumentPage.paths) func namedThingsExist(path: String) throws {
    let page = try DocumentPage(path)
    let makefile = try String(contentsOfFile: Package.folder + "/Makefile", encoding: .utf8)
    for match in page.text.matches(of: #/(?m)(?:`|^)make ([a-z][a-z-]*)/#) {
      #expect(makefile.contains("\n\(match.1):"), "make \(match.1)")
    }
    for match in page.text.matches(of: #/`((?:Sources|Tests|Benchmarks|deploy|docs)\/[A-Za-z0-9_.\/+-]+)`/#) {
      #expect(Self.exists(String(match.1)), "\(match.1)")
    }
    guard path != "CHANGELOG.md" else { return }
    let options = Set(Settings.serve.map { "--" + $0.name } + Self.otherOptions)
    for match in page.text.matches(of: /`(--[a-z][a-z-]*)/) {
      #expect(options.contains(String(match.1)), "\(match.1)")
    }
  }

  /// Options of commands other than `serve`, and options that are not settings.
  private static let otherOptions = ["--print-config", "--json", "--output", "--format", "--url", "--write"]

  @Test func theSuiteAndTheTestThatAreRunExist() throws {
    let contributing = try DocumentPage("CONTRIBUTING.md").text
    let filters = contributing.matches(of: /Tests\/run.sh --filter ([A-Za-z.]+)(?:\/([A-Za-z]+))?/)
    #expect(filters.count == 2)
    let names =
      FileManager.default.enumerator(atPath: Package.folder + "/Tests")?.compactMap { $0 as? String } ?? []
    let sources = try names.filter { $0.hasSuffix(".swift") }.map {
      try String(contentsOfFile: Package.folder + "/Tests/" + $0, encoding: .utf8)
    }
    for filter in filters {
      let suite = filter.1.split(separator: ".").last ?? ""
      let source = sources.first { $0.contains("struct \(suite) {") }
      #expect(source?.contains("func \(filter.2 ?? "")") == true, "\(filter.0)")
    }
  }

  /// `docs/architecture.md` lists exactly the folders that exist.
  @Test(arguments: ["CellTemplates", "Cells", "CellServer"]) func theFoldersAreThere(module: String) throws {
    let text = try DocumentPage("docs/architecture.md").prose
    let table = try #require(text.components(separatedBy: "| folder of `\(module)` |").dropFirst().first)
    let rows = table.components(separatedBy: "\n\n")[0].split(separator: "\n").dropFirst(2)
    let listed = rows.flatMap { row in
      row.split(separator: "|")[0].matches(of: /`([A-Za-z]+)`/).map { String($0.1) }
    }
    let folder = Package.folder + "/Sources/" + module
    let found = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.contains(".") }
    #expect(listed.sorted() == found.sorted())
  }
}
