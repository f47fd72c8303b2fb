import CellTemplates
import Cells
import Foundation
import Testing

/// CellFactory as a library: the example of the documentation, and its errors.
@Suite struct InProcessExampleTests {
  /// The program of the README; another test compares the two.
  @Test func theProgramOfTheReadme() async throws {
    let templates = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../templates").standardized.path
    let archive = try CellArchive.compiling(folder: templates)
    let factory = CellFactory(archive: archive)
    let cells = try await factory.render("news", rows: #"[{"title":"Hello"},{"title":"World"}]"#)
    #expect(cells.count == 2 && cells[1].contains("World"))
  }

  @Test func cellsAreRenderedWithoutAServer() async throws {
    let folder = try TemporaryFolder([
      "news.mustache": "<article>{{>byline}}<h2>{{title}}</h2></article>\n",
      "byline.mustache": "<p>{{author.name}}</p>",
    ])

    // Compile the templates of a folder; every error of every template is thrown at once.
    let archive = try CellArchive.compiling(folder: folder.path)
    #expect(archive.kindNames == ["byline", "news"])

    // A factory makes cells, renders rows with them, and keeps the cells for reuse. It is an actor: one for
    // each thread of work, all on the same archive.
    let factory = CellFactory(archive: archive)

    // An array of rows, or one row: JSON in, a string for each row out.
    let cells = try await factory.render(
      "news", rows: #"[{"title": "Bread & roses", "author": {"name": "Ada"}}, {"title": "Second"}]"#)
    #expect(
      cells == [
        "<article><p>Ada</p><h2>Bread &amp; roses</h2></article>\n",
        "<article><p></p><h2>Second</h2></article>\n",
      ])
    #expect(try await factory.render("byline", rows: #"{"author": {"name": "Grace"}}"#) == ["<p>Grace</p>"])

    // The archive is also a file, for machines that have no templates: the same cells under the same hash.
    let file = folder.path + "/cells.archive"
    try archive.write(file: file)
    let read = try CellArchive.reading(file: file)
    #expect(read.hash == archive.hash)
    let other = CellFactory(archive: read, reuse: ReusePolicy(cellsPerKind: 1, cellsInAll: 100))
    #expect(try await other.render("byline", rows: "{}") == ["<p></p>"])
    #expect(await other.archiveHash == factory.archiveHash)
    #expect(await factory.reuseStatistics.misses == 2)
  }

  @Test func errorsOfRowsAreThrown() async throws {
    let folder = try TemporaryFolder(["loop.mustache": "{{>loop}}", "hi.mustache": "{{a}}"])
    let factory = CellFactory(archive: try CellArchive.compiling(folder: folder.path))
    await #expect(throws: CellError.unknownKind("news")) { try await factory.render("news", rows: "{}") }
    await #expect(throws: CellError.unknownKind("")) { try await factory.render("", rows: "{}") }
    let error = await #expect(throws: CellError.self) { try await factory.render("hi", rows: "[1,\n 2,,3]") }
    guard case .invalidJSON(line: 2, column: 4, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let row = await #expect(throws: CellError.self) { try await factory.render("loop", rows: "[{},{}]") }
    guard case .invalidRow(0, let reason)? = row else {
      Issue.record("\(String(describing: row))")
      return
    }
    #expect(reason.contains("64") && reason.contains("loop"))
    #expect(try await factory.render("hi", rows: "[]") == [])
  }

  @Test func allErrorsOfTemplatesAreThrownTogether() throws {
    let folder = try TemporaryFolder(["a.mustache": "{{#x}}", "b/c.mustache": "\n{{}}"])
    let errors = #expect(throws: TemplateErrors.self) { try CellArchive.compiling(folder: folder.path + "/") }
    #expect(
      errors?.diagnostics.map { "\($0.file):\($0.line):\($0.column) \($0.code.rawValue)" } == [
        "\(folder.path)/a.mustache:1:1 unclosed-section", "\(folder.path)/b/c.mustache:2:1 empty-name",
      ])
  }

  @Test func errorsOfArchiveFilesNameTheFile() throws {
    let folder = try TemporaryFolder(["a.mustache": "x", "no.archive": "text"])
    let archive = try CellArchive.compiling(folder: folder.path)
    let path = folder.path + "/a.archive"
    try archive.write(file: path)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try bytes.dropLast().write(to: URL(fileURLWithPath: folder.path + "/cut.archive"))
    for name in ["none.archive", "no.archive", "cut.archive", "."] {
      let error = #expect(throws: ArchiveFileError.self) {
        try CellArchive.reading(file: folder.path + "/" + name)
      }
      #expect(error?.description.hasPrefix(folder.path + "/" + name + ": ") == true)
    }
    #expect(throws: ArchiveFileError.self) { try archive.write(file: folder.path + "/none/a.archive") }
  }

  @Test func factoriesOfManyThreadsShareAnArchive() async throws {
    let folder = try TemporaryFolder(["n.mustache": "{{#l}}{{.}},{{/l}}"])
    let archive = try CellArchive.compiling(folder: folder.path)
    await withTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          let factory = CellFactory(archive: archive)
          for round in 0..<100 {
            let cells = try? await factory.render("n", rows: "{\"l\":[\(number),\(round)]}")
            #expect(cells == ["\(number),\(round),"])
          }
        }
      }
    }
  }
}
