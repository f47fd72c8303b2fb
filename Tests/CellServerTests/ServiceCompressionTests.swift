import CZlib
import CellServer
import Testing

/// Answers are compressed if the client accepts it.
@Suite struct ServiceCompressionTests {
  static let gzip: KeyValuePairs = ["Accept-Encoding": "gzip"]
  static let long = String(repeating: "Bread and roses. ", count: 100)

  static func target(_ way: Way, minimumBytes: Int = 1024, _ change: (inout TargetSetup) -> Void = { _ in })
    throws
    -> any HTTPTarget
  {
    try way.target {
      var compression = CompressionSettings()
      compression.minimumBytes = minimumBytes
      $0.server.compression = compression
      change(&$0)
    }
  }

  /// The content of one gzip stream; nil if it is corrupt or continues after its end.
  static func inflated(_ bytes: [UInt8], partly: Bool = false) -> [UInt8]? {
    var stream = z_stream()
    var input = bytes
    var result: [UInt8] = []
    guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      return nil
    }
    defer { inflateEnd(&stream) }
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    return input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      while true {
        let status = piece.withUnsafeMutableBufferPointer { piece in
          stream.next_out = piece.baseAddress
          stream.avail_out = UInt32(piece.count)
          return inflate(&stream, Z_NO_FLUSH)
        }
        result += piece[..<(piece.count - Int(stream.avail_out))]
        if status == Z_STREAM_END { return stream.avail_in == 0 ? result : nil }
        if status != Z_OK { return partly ? result : nil }
      }
    }
  }

  static func request(_ request: TestRequest, _ codings: String? = "gzip") -> TestRequest {
    var request = request
    if let codings { request.headers.append(("Accept-Encoding", codings)) }
    return request
  }

  /// Answers of every type, and whether they are compressed.
  static let requests: [(request: TestRequest, isCompressed: Bool)] = [
    (.post("/cells/plain", #"{"title":"\#(long)"}"#), true), (.post("/cells/plain", "{}"), false),
    (.get("/cells/plain?title=\(long.replacing(" ", with: "+"))"), true), (.get("/openapi.json"), true),
    (.get("/kinds"), true),
    (.get("/livez"), false), (TestRequest("OPTIONS", "/kinds"), false), (.get("/cells/none"), false),
    (.post("/cells", "[" + Array(repeating: "{}", count: 50).joined(separator: ",") + "]"), true),
    (.post("/cells/plain?format=json", #"[{"title":"\#(long)"}]"#), true),
    (.post("/cells/line", #"[{"title":"\#(long)"}]"#), true),
  ]

  @Test(arguments: Way.allCases) func theSameBytes(way: Way) async throws {
    let (target, plain) = (try Self.target(way), try way.target())
    for row in Self.requests {
      let expected = try await plain.send(row.request)
      let answer = try await target.send(Self.request(row.request))
      #expect(answer.status == expected.status && answer["Content-Type"] == expected["Content-Type"])
      #expect(answer["Content-Encoding"] == (row.isCompressed ? "gzip" : nil), "\(row.request.target)")
      let body = row.isCompressed ? Self.inflated(answer.body) : answer.body
      #expect(body == expected.body, "\(row.request.target)")
      #expect(!row.isCompressed || answer.body.count < expected.body.count)
      let varies =
        expected.status == 204 ? nil : (expected["Vary"].map { $0 + ", " } ?? "") + "Accept-Encoding"
      #expect(answer["Vary"] == varies, "\(row.request.target)")
      let identity = try await target.send(Self.request(row.request, nil))
      #expect(
        identity.body == expected.body && identity["Content-Encoding"] == nil && identity["Vary"] == varies)
      let off = try await plain.send(Self.request(row.request))
      #expect(off.body == expected.body && off["Content-Encoding"] == nil && off["Vary"] == expected["Vary"])
    }
    #expect(await target.heldBytes() == 0)
  }

  @Test(arguments: Way.allCases) func negotiated(way: Way) async throws {
    let target = try Self.target(way)
    let long = TestRequest.post("/cells/plain", #"{"title":"\#(Self.long)"}"#)
    let short = TestRequest.post("/cells/plain", "{}")
    for (codings, isLong, isShort) in [
      ("gzip", true, false), ("x-gzip, br", true, false), ("*", true, false), ("gzip;q=0", false, false),
      ("gzip;q=0.5, identity", false, false), ("br", false, false), ("gzip, identity;q=0", true, true),
      ("br, identity;q=0", false, false), ("", false, false),
    ] {
      for (request, isCompressed) in [(long, isLong), (short, isShort)] {
        let answer = try await target.send(Self.request(request, codings))
        #expect((answer["Content-Encoding"] == "gzip") == isCompressed, "\(codings)")
      }
    }
  }

  /// Entity tags are strong and cover the body as sent, so each form has its own.
  @Test(arguments: Way.allCases) func tags(way: Way) async throws {
    let target = try Self.target(way)
    let path = "/cells/plain?title=" + Self.long.replacing(" ", with: "+")
    let (gzip, plain) = (
      try await target.send(.get(path, Self.gzip)), try await target.send(.get(path))
    )
    let (tag, other) = (try #require(gzip["ETag"]), try #require(plain["ETag"]))
    #expect(tag != other && gzip["Content-Encoding"] == "gzip" && plain["Content-Encoding"] == nil)
    #expect(try await other == way.target().send(.get(path))["ETag"])
    for (codings, known, status) in [
      ("gzip", tag, 304), ("gzip", "W/" + tag, 304), ("gzip", "\(other), \(tag)", 304), ("gzip", other, 200),
      ("gzip", "*", 304),
      ("identity", other, 304), ("identity", tag, 200),
    ] {
      for method in ["GET", "HEAD"] {
        let answer = try await target.send(
          TestRequest(method, path, ["Accept-Encoding": codings, "If-None-Match": known]))
        let of = codings == "gzip" ? gzip : plain
        #expect(answer.status == status && answer["ETag"] == of["ETag"], "\(codings) \(known)")
        #expect(answer["Vary"] == "Accept, Accept-Encoding")
        #expect(answer["Content-Length"] == String(of.body.count), "\(method) \(status)")
        #expect(method == "GET" && status == 200 || answer.body.isEmpty)
      }
    }
  }

  /// On the wire nothing follows the head of an answer to HEAD, however the body would be sent: the next byte begins the
  /// next answer.
  @Test(arguments: ["gzip", "identity"], [100, 1 << 20])
  func nothingFollowsTheHeadOfAnAnswerToHEAD(codings: String, completeBytes: Int) async throws {
    var setup = TargetSetup()
    setup.server.compression = CompressionSettings()
    setup.service.completeBytes = completeBytes
    for number in 0..<300 {
      setup.templates["many\(number).html"] =
        "<p data-cell=\"many\(number)\"><b data-outlet=\"title\">A title for designers</b>{{a}}{{b.c}}</p>"
    }
    let target = try LiveTarget(setup)
    for path in [
      "/kinds", "/openapi.json", "/metrics", "/cells/plain?title=" + String(repeating: "x", count: 5000),
    ] {
      let client = target.client
      let headers: KeyValuePairs = ["Accept-Encoding": codings]
      client.send(TestRequest("HEAD", path, headers).wire)
      // It has time to send what it should not.
      try await Task.sleep(for: .milliseconds(50))
      client.send(
        TestRequest("GET", "/cells/plain?title=b", headers).wire + TestRequest("HEAD", path, headers).wire)
      #expect(client.readAnswer(toHead: true)?.status == 200, "\(path)")
      #expect(client.readAnswer()?.text == "<p>b</p>", "\(path)")
      #expect(client.readAnswer(toHead: true)?.status == 200, "\(path)")
      client.finishSending()
      #expect(client.readAnswer() == nil, "\(path)")
      let whole = target.client
      whole.send(TestRequest("GET", path, headers).wire)
      #expect(whole.readAnswer()?.body.isEmpty == false, "\(path)")
    }
  }

  /// Answers too large to be compressed at once, complete and streamed.
  @Test(arguments: Way.allCases, ["html", "json", "ndjson"]) func largeAnswers(way: Way, format: String)
    async throws
  {
    for (rows, completeBytes) in [(600, 4 << 20), (600, 100_000), (300, 1 << 20), (300, 1000)] {
      func change(_ setup: inout TargetSetup) { setup.service.completeBytes = completeBytes }
      let (target, plain) = (try Self.target(way, change), try way.target(change))
      let body = "[" + (0..<rows).map { #"{"title":"\#($0) \#(Self.long)"}"# }.joined(separator: ",") + "]"
      for query in ["", "&on_error=skip"] {
        let request = TestRequest.post("/cells/plain?format=\(format)\(query)", body)
        let expected = try await plain.send(request)
        let answer = try await target.send(Self.request(request))
        #expect(
          answer.isComplete && answer.isStreamed == expected.isStreamed
            && answer["Content-Encoding"] == "gzip")
        #expect(Self.inflated(answer.body) == expected.body, "\(rows) \(completeBytes) \(query)")
      }
      #expect(await target.heldBytes() == 0)
    }
  }

  /// The part rendered before the failure can be read; the end of the stream and of the chunks is missing.
  @Test(arguments: Way.allCases) func aBrokenStreamIsSeenToBeBroken(way: Way) async throws {
    let target = try Self.target(way) { StreamTests.failing(&$0, "output-too-large") }
    let answer = try await target.send(Self.request(.post("/cells/plain", StreamTests.titles)))
    #expect(!answer.isComplete && answer["Content-Encoding"] == "gzip")
    #expect(Self.inflated(answer.body) == nil && Self.inflated(answer.body, partly: true)?.isEmpty == false)
    #expect(await target.heldBytes() == 0)
  }

  /// If the budget has no room for a compressor, the answer is sent uncompressed.
  @Test(arguments: Way.allCases) func withoutRoom(way: Way) async throws {
    let target = try Self.target(way) { $0.server.inFlightLimitBytes = 200_000 }
    let answer = try await target.send(Self.request(.post("/cells/plain", #"{"title":"\#(Self.long)"}"#)))
    #expect(answer.status == 200 && answer["Content-Encoding"] == nil && answer.text == "<p>\(Self.long)</p>")
    #expect(await target.heldBytes() == 0)
  }
}
