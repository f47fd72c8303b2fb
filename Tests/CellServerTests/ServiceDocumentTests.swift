import CellTemplates
import Cells
import Testing

@testable import CellServer

/// What an archive says of itself: made once, shared, and tagged.
@Suite struct ServiceDocumentTests {
  private static let paths = ["/kinds", "/kinds/plain", "/schemas/plain", "/openapi.json"]

  @Test(arguments: Way.allCases, paths) func haveATag(way: Way, path: String) async throws {
    let target = try way.target()
    let first = try await target.ask(.get(path))
    let tag = try #require(first["ETag"])
    #expect(first.status == 200 && !first.body.isEmpty)
    for method in ["GET", "HEAD"] {
      for header in [tag, "*", "\"x\", \(tag)"] {
        let known = try await target.ask(TestRequest(method, path, ["If-None-Match": header]))
        #expect(known.status == 304 && known.body.isEmpty && known["ETag"] == tag, "\(header)")
      }
    }
    let other = try await target.ask(.get(path, ["If-None-Match": "\"x\""]))
    #expect(other.status == 200 && other.body == first.body && other["ETag"] == tag)
    #expect(await target.heldBytes() == 0)
  }

  @Test(arguments: Way.allCases, [false, true])
  func largeOnesAreStreamed(way: Way, compresses: Bool) async throws {
    let target = try way.target { setup in
      for number in 0..<300 {
        setup.templates["many\(number).html"] =
          "<p data-cell=\"many\(number)\"><b data-outlet=\"title\">A title for designers</b>{{a}}{{b.c}}</p>"
      }
      if compresses { setup.server.compression = CompressionSettings() }
    }
    let answer = try await target.ask(.get("/kinds"))
    #expect(answer.status == 200 && answer.body.count > 100_000 && answer["Content-Length"] == nil)
    let kinds = try #require((answer.json() as? [String: Any])?["kinds"] as? [Any])
    #expect(kinds.count >= 300)
    let tag = try #require(answer["ETag"])
    let zipped = try await target.ask(.get("/kinds", ["Accept-Encoding": "gzip"]))
    #expect(zipped.status == 200 && zipped["ETag"] == tag)
    #expect((zipped["Content-Encoding"] == "gzip") == compresses)
    let known = try await target.ask(.get("/kinds", ["If-None-Match": tag, "Accept-Encoding": "gzip"]))
    #expect(known.status == 304 && known.body.isEmpty)
    #expect(await target.heldBytes() == 0)
  }

  private func wait(
    _ documents: ArchiveDocuments, _ name: ArchiveDocuments.Name, _ archive: CellArchive
  ) async -> ArchiveDocuments.Document {
    while true {
      if let document = documents.document(name, of: archive) { return document }
      await Task.yield()
    }
  }

  @Test func areMadeOnceForEachArchive() async throws {
    var setup = TargetSetup()
    let documents = ArchiveDocuments()
    var archives: [CellArchive] = []
    for number in 0..<3 {
      setup.templates["number.mustache"] = "\(number)"
      archives.append(try setup.archive())
    }
    let first = await wait(documents, .kinds, archives[0])
    let second = await wait(documents, .kinds, archives[1])
    let firstAgain = await wait(documents, .kinds, archives[0])
    #expect(firstAgain === first && first.hash != second.hash)
    // A third one makes the first leave.
    _ = await wait(documents, .kinds, archives[2])
    let secondAgain = await wait(documents, .kinds, archives[1])
    #expect(secondAgain === second)
    let made = await wait(documents, .kinds, archives[0])
    #expect(made !== first && made.bytes == first.bytes)
  }
}
