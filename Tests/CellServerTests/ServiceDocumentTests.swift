import CellTemplates
import Cells
import Synchronization
import Testing

@testable import CellServer

/// Documents that describe an archive: made once, shared, and tagged.
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

  /// Nothing runs, as if making them took long.
  @Test func documentsThatClientsNameDoNotFillTheQueue() throws {
    var setup = TargetSetup()
    setup.templates = ["n.html": "<style>a { b: c }</style><p data-cell=\"n\">a</p>"]
    let archive = try setup.archive()
    let documents = ArchiveDocuments(keptBytes: 0, run: { _ in })
    let edition = documents.edition(of: archive)
    for number in 0..<DocumentEdition.measuredOfClients {
      #expect(documents.find(.style(nib: 0, scope: ".a\(number)"), in: edition) == nil)
    }
    guard case .busy? = documents.find(.style(nib: 0, scope: ".b"), in: edition) else {
      Issue.record("one more is measured")
      return
    }
    #expect(documents.find(.kinds, in: edition) == nil)
    #expect(documents.find(.style(nib: 0, scope: ".a0"), in: edition) == nil, "it is being made")
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
    #expect(answer.status == 200 && answer.body.count > 100_000)
    let kinds = try #require((answer.json() as? [String: Any])?["kinds"] as? [Any])
    #expect(kinds.count >= 300)
    let tag = try #require(answer["ETag"])
    let zipped = try await target.ask(.get("/kinds", ["Accept-Encoding": "gzip"]))
    #expect(zipped.status == 200 && zipped["ETag"] == tag)
    #expect((zipped["Content-Encoding"] == "gzip") == compresses)
    let known = try await target.ask(.get("/kinds", ["If-None-Match": tag, "Accept-Encoding": "gzip"]))
    #expect(known.status == 304 && known.body.isEmpty && known["Content-Encoding"] == nil)
    #expect(known["Content-Length"] == zipped["Content-Length"])
    #expect(await target.heldBytes() == 0)
  }

  /// An answer without a body ends with its head, also where the length of the compressed one is not known.
  @Test(arguments: ["GET", "HEAD"]) func whatTheClientHasIsNotSent(method: String) throws {
    var setup = TargetSetup()
    for number in 0..<300 {
      setup.templates["many\(number).html"] =
        "<p data-cell=\"many\(number)\"><b data-outlet=\"title\">A title for designers</b>{{a}}{{b.c}}</p>"
    }
    setup.server.compression = CompressionSettings()
    setup.server.compression?.minimumBytes = 200
    let target = try LiveTarget(setup)
    for (path, isLarge) in [("/kinds", true), ("/kinds/many1", false), ("/openapi.json", true)] {
      for coding in ["gzip", "identity"] {
        func request(_ method: String, _ tag: String) -> String {
          "\(method) \(path) HTTP/1.1\r\nHost: a\r\nAccept-Encoding: \(coding)\r\nIf-None-Match: \(tag)\r\n\r\n"
        }
        let client = target.client
        client.send(request("GET", "\"none\""))
        let whole = try #require(client.readAnswer())
        let tag = try #require(whole["ETag"])
        #expect(whole.status == 200 && (whole["Content-Encoding"] == "gzip") == (coding == "gzip"))
        client.send(request(method, tag) + "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
        let known = client.readAnswer(toHead: true)
        #expect(known?.status == 304 && known?["ETag"] == tag && known?["Transfer-Encoding"] == nil)
        if isLarge, coding == "gzip" {
          #expect(known?["Content-Length"] == nil && known?["Connection"] == "close")
          #expect(client.readToEnd().isEmpty, "\(path)")
        } else {
          #expect(known?["Content-Length"] == whole["Content-Length"] && known?["Connection"] == nil)
          #expect(client.readAnswer()?.status == 200, "\(path)")
        }
      }
    }
  }

  private func find(
    _ documents: ArchiveDocuments, _ name: ArchiveDocuments.Name, _ archive: CellArchive
  ) async throws -> ArchiveDocument {
    var edition: DocumentEdition? = documents.edition(of: archive)
    defer { documents.letGo(&edition) }
    while let edition {
      switch documents.find(name, in: edition) {
      case .document(let document): return document
      case .tooLarge, .busy: throw TooLarge()
      case nil: await Task.yield()
      }
    }
    throw TooLarge()
  }

  private struct TooLarge: Error {}

  private func content(
    _ documents: ArchiveDocuments, _ name: ArchiveDocuments.Name, _ archive: CellArchive
  ) async throws -> SharedBuffer {
    let document = try await find(documents, name, archive)
    document.borrow()
    defer { document.giveBack() }
    while true {
      if let content = documents.content(of: document, name, of: archive) {
        #expect(content.bytes.count == document.count && ContentHash(of: content.bytes).hex == document.hash)
        return content
      }
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
    let first = try await content(documents, .kinds, archives[0])
    let second = try await content(documents, .kinds, archives[1])
    #expect(try await content(documents, .kinds, archives[0]) === first)
    #expect(!first.bytes.elementsEqual(second.bytes))
    let held = first.bytes.count + second.bytes.count
    #expect(documents.heldBytes == held)
    // A third document evicts the first, which was requested least recently.
    let third = try await content(documents, .kinds, archives[2])
    #expect(documents.heldBytes == first.bytes.count + third.bytes.count)
    #expect(try await content(documents, .kinds, archives[0]) === first)
    let made = try await content(documents, .kinds, archives[1])
    #expect(made !== second && made.bytes.elementsEqual(second.bytes))
  }

  /// After two reloads, requests of three archives wait for documents, and ask again and again.
  @Test func thoseOfAnEarlierArchiveAreMadeOnceWhileARequestWaits() throws {
    let work = Mutex<[@Sendable () -> Void]>([])
    let documents = ArchiveDocuments(keptBytes: 1 << 20) { next in work.withLock { $0.append(next) } }
    var editions: [DocumentEdition?] = []
    for number in 0..<3 {
      var setup = TargetSetup()
      setup.templates["number.mustache"] = "\(number)"
      editions.append(documents.edition(of: try setup.archive()))
    }
    for _ in 0..<10 {
      for edition in editions { #expect(documents.find(.kinds, in: try #require(edition)) == nil) }
    }
    func runAll() {
      while let next = work.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { next() }
    }
    #expect(work.withLock { $0.count } <= 4, "three are measured, and one edition makes room")
    runAll()
    var hashes: Set<String> = []
    for edition in editions {
      guard case .document(let document)? = documents.find(.kinds, in: try #require(edition)) else {
        Issue.record("the document is not known")
        return
      }
      hashes.insert(document.hash)
    }
    #expect(hashes.count == 3 && work.withLock { $0.isEmpty })
    let held = documents.heldBytes
    documents.letGo(&editions[0])
    runAll()
    #expect(documents.heldBytes < held, "nobody asks for the first archive's documents any longer")
    documents.letGo(&editions[1])
    #expect(editions[1] == nil && work.withLock { $0.isEmpty }, "it stays known")
  }

  /// Each client may make up names, whose documents may be empty.
  @Test(arguments: ["{{a}}", "<p data-cell=\"c\">a</p><style>b{color:red}</style>"])
  func thoseWithMadeUpNamesAreLetGo(_ text: String) throws {
    let documents = ArchiveDocuments(keptBytes: 100_000) { work in work() }
    var setup = TargetSetup()
    setup.templates[text.hasPrefix("<") ? "made.html" : "made.mustache"] = text
    let edition = documents.edition(of: try setup.archive())
    _ = documents.find(.kinds, in: edition)
    let held = documents.heldBytes
    for number in 0..<5000 {
      _ = documents.find(.styles(kinds: nil, scope: ".s\(number)"), in: edition)
      #expect(documents.keptCount <= 1100 && documents.heldBytes <= 100_000)
    }
    guard case .document? = documents.find(.styles(kinds: nil, scope: ".s4999"), in: edition) else {
      Issue.record("the last one is known")
      return
    }
    #expect(documents.heldBytes >= held, "those in use stay")
  }

  @Test func anArchiveThatNoWorkerUsesIsForgotten() async throws {
    let documents = ArchiveDocuments(keptBytes: 1 << 20) { work in work() }
    func asked(_ text: String) throws -> (archive: CellArchive, edition: DocumentEdition?) {
      var setup = TargetSetup()
      setup.templates["number.mustache"] = text
      let edition = documents.edition(of: try setup.archive())
      _ = documents.find(.kinds, in: edition)
      return (edition.archive, edition)
    }
    var (former, edition) = try asked("1")
    weak let freed = edition
    weak let archive = former
    let current = try asked("2")
    documents.forgetAll(but: current.archive)
    former = current.archive
    #expect(archive != nil && freed != nil, "a request uses it")
    let held = documents.heldBytes
    documents.letGo(&edition)
    #expect(archive == nil && freed == nil && documents.heldBytes < held)
    #expect(documents.edition(of: current.archive) === current.edition)
  }

  /// A cell whose description has about `count` times 6 kB: it lists for each value what surrounds it.
  private static func cell(_ count: Int) -> String {
    let name = String(repeating: "name", count: 1500)
    return "{{#\(name)}}" + String(repeating: "{{a}}", count: count) + "{{/\(name)}}"
  }

  /// Cells of which each has a description of about 60 kB.
  private static func setup(_ count: Int) -> TargetSetup {
    var setup = TargetSetup()
    for number in 0..<count { setup.templates["many\(number).mustache"] = cell(9) }
    return setup
  }

  @Test func noMoreIsKeptThanAllowed() async throws {
    let archive = try Self.setup(4).archive()
    let names = ["many0", "many1", "many2", "many3"].map { archive.kindNumber($0)! }
    let documents = ArchiveDocuments(keptBytes: 150_000)
    let first = try await content(documents, .kind(names[0]), archive)
    for name in names {
      _ = try await content(documents, .kind(name), archive)
      #expect(documents.heldBytes <= 150_000)
    }
    let again = try await content(documents, .kind(names[0]), archive)
    #expect(again !== first && again.bytes.elementsEqual(first.bytes))
    // It is larger than everything that is kept, and evicts nothing.
    let held = documents.heldBytes
    #expect(try await content(documents, .kinds, archive).bytes.count > 150_000)
    #expect(documents.heldBytes == held)
  }

  @Test(arguments: Way.allCases) func oneThatIsTooLargeIsRefused(way: Way) async throws {
    let target = try way.target { setup in
      setup = Self.setup(10)
      setup.documents = ArchiveDocuments(limitBytes: 200_000, keptBytes: 0)
    }
    for method in ["GET", "HEAD"] {
      let answer = try await target.ask(TestRequest(method, "/kinds"))
      #expect(answer.status == 422)
      if method == "GET" { #expect(answer.text.contains("urn:cellfactory:output-too-large")) }
    }
    #expect(try await target.ask(.get("/kinds/many1")).status == 200)
    #expect(await target.heldBytes() == 0)
  }

  /// An answer without a body needs only the length and the hash: there is no room for the document here.
  @Test(arguments: Way.allCases) func unsentDocumentsAreNotMade(way: Way) async throws {
    let target = try way.target { setup in
      setup = Self.setup(40)
      setup.documents = ArchiveDocuments(keptBytes: 0)
      setup.server.inFlightLimitBytes = 1 << 20
    }
    let refused = try await target.ask(.get("/kinds"))
    #expect(refused.status == 422 && refused.text.contains("--in-flight-limit-bytes (1048576)"))
    let head = try await target.ask(TestRequest("HEAD", "/kinds"))
    #expect(head.status == 200 && (head["Content-Length"].flatMap { Int($0) } ?? 0) > 1 << 20)
    for method in ["GET", "HEAD"] {
      let known = try await target.ask(TestRequest(method, "/kinds", ["If-None-Match": head["ETag"] ?? ""]))
      #expect(known.status == 304 && known["Content-Length"] == head["Content-Length"])
    }
    #expect(await target.heldBytes() == 0)
  }

  private static func residentBytes() throws -> Int {
    try #require(ProcessStatistics().memoryBytes?.resident)
  }

  @Test func manyThatDoNotReadShareOne() async throws {
    var setup = Self.setup(200)
    setup.documents = ArchiveDocuments(keptBytes: 0)
    let target = try LiveTarget(setup)
    let head = try await target.ask(TestRequest("HEAD", "/kinds"))
    let count = try #require(head["Content-Length"].flatMap { Int($0) })
    #expect(count > 10_000_000)
    #expect(await target.heldBytes() == 0 && setup.documents.heldBytes == 0)
    let before = try Self.residentBytes()
    var clients = (0..<24).map { _ in target.client }
    for client in clients {
      client.receiveLittle()
      client.send("GET /kinds HTTP/1.1\r\nHost: a\r\n\r\n")
    }
    for client in clients { #expect(client.awaitBytes(1000)) }
    let change = 8 << 20
    #expect(setup.documents.heldBytes == count)
    #expect(try Self.residentBytes() - before < count + change)
    let held = target.server.statistics[0].heldBytes
    #expect(held >= count && held < count + change)
    clients = []
    #expect(await target.isIdle())
    #expect(setup.documents.heldBytes == 0)
  }

  /// The memory of a document is charged like the rows of other requests, and is not available to them.
  @Test func aDocumentIsChargedInAdditionToRequests() async throws {
    var setup = Self.setup(40)
    setup.documents = ArchiveDocuments(keptBytes: 0)
    setup.templates["other.mustache"] = Self.cell(250)
    setup.server.inFlightLimitBytes = 5 << 20
    let target = try LiveTarget(setup)
    var slow: TransportTestClient? = target.client
    slow?.receiveLittle()
    slow?.send("GET /kinds HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(slow?.awaitBytes(1000) == true)
    let refused = try await target.ask(.get("/kinds/other"))
    #expect(refused.status == 503 && refused["Retry-After"] != nil)
    // The document exists already.
    #expect(try await target.ask(.get("/kinds")).status == 200)
    slow = nil
    #expect(await target.heldBytes() == 0)
    #expect(try await target.ask(.get("/kinds/other")).status == 200)
  }
}
