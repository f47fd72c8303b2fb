@testable import CellServer
import Testing

/// Request targets, parsed or recognized from the previous request.
struct TransportTargetTests {
  static let targets = [
    "/", "/cells", "/cells/news", "/cells/newspaper", "/cells/new", "/cells/news?", "/cells/news?format=json",
    "/cells/news?format=jso", "/cells/news?format=json&x", "/cells/new%73", "/cells/a/b", "/cells//a",
    "/cells/",
    "/kinds", "/metrics", "/nothing", "*", "**", "/?", "/?a?b", "/a?", "http://host",
    "http://host/cells/news",
    "https://host?format=json", "HTTP://host/kinds", "cells", "", "/a b", "/\u{e9}",
  ]

  /// The next target is parsed as by a new guard, no matter which target came before on the connection.
  @Test func aTargetIsReadAsIfItWereTheFirst() {
    for before in Self.targets {
      for target in Self.targets {
        var used = RequestGuard()
        var fresh = RequestGuard()
        for text in [before, target, target] { Self.begin(&used, text) }
        Self.begin(&fresh, target)
        #expect(Self.description(used) == Self.description(fresh), "\(before), then \(target)")
      }
    }
  }

  @Test func thePartsAreThoseOfThePath() throws {
    for target in Self.targets {
      var guarding = RequestGuard()
      Self.begin(&guarding, target)
      let path = guarding.head.path
      var (parts, problem): (PathParts?, Problem?) = (nil, nil)
      do throws(Problem) { parts = try PathParts(path) } catch { problem = error }
      #expect(guarding.head.target.isWellFormed == (parts != nil), "\(target)")
      if let parts { #expect(guarding.head.target.parts == parts, "\(target)") }
      var told: Problem?
      do throws(Problem) { _ = try Endpoints.position(of: guarding.head.target) } catch { told = error }
      if let problem { #expect(told == problem, "\(target)") }
    }
  }

  /// The state of a request is reset by the next request line.
  @Test func nothingOfAHeadIsLeftForTheNext() throws {
    var origins = AllowedOrigins()
    try origins.add("https://app.example.org")
    var guarding = RequestGuard(
      optional: OptionalFields(origins: origins, readsCodings: true, readsTrace: true))
    Self.begin(&guarding, "/cells/news")
    let asNew = Self.fields(guarding)
    Self.receive(
      &guarding,
      [
        ("Host", "a"), ("Accept", "text/html"), ("Content-Type", "application/json"), ("Content-Length", "7"),
        ("Content-Encoding", "identity"), ("If-None-Match", "\"1\""), ("Accept-Encoding", "gzip"),
        ("Origin", "https://app.example.org"), ("Access-Control-Request-Method", "POST"),
        ("X-Request-Id", "one-of-my-own"),
        ("traceparent", "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"), ("Bad name", "x"),
      ])
    let all = Self.fields(guarding)
    #expect(zip(asNew, all).allSatisfy { $0 != $1 }, "\(all)")
    for target in ["/cells/news", "/kinds"] {
      Self.begin(&guarding, target)
      #expect(Self.fields(guarding) == asNew)
      #expect(guarding.head.path == target)
    }
  }

  /// The findings of a guard about the other headers, as text.
  private static func fields(_ guarding: borrowing RequestGuard) -> [String] {
    var fields = [
      guarding.head.method.name, guarding.head.accept ?? "-", guarding.head.contentType ?? "-",
      guarding.head.contentEncoding ?? "-", guarding.head.ifNoneMatch ?? "-", guarding.head.requestID,
    ]
    fields.append("\(guarding.head.codings)")
    fields.append("\(String(describing: guarding.head.allowedOrigin)) \(guarding.head.isPreflight)")
    fields.append("\(guarding.trace != nil) \(guarding.isVersion11)")
    do throws(Problem) {
      fields.append("\(try guarding.finish(headLimitBytes: 1 << 20, bodyLimitBytes: 100))")
    } catch {
      fields.append(error.detail)
    }
    return fields
  }

  private static func receive(_ guarding: inout RequestGuard, _ headers: [(name: String, value: String)]) {
    func bytes(_ text: String, _ body: (UnsafeRawBufferPointer) -> Void) {
      Array(text.utf8).withUnsafeBytes(body)
    }
    bytes("OPTIONS") { method in
      bytes("HTTP/1.1") { guarding.receive(method: method, version: $0) }
    }
    for header in headers {
      bytes(header.name) { name in
        bytes(header.value) { guarding.receive(name: name, value: $0) }
      }
    }
  }

  private static func begin(_ guarding: inout RequestGuard, _ target: String) {
    Array(target.utf8).withUnsafeBytes { guarding.begin(target: $0) }
  }

  /// The parsed target, and whether it was refused.
  private static func description(_ guarding: borrowing RequestGuard) -> String {
    let head =
      "\(guarding.head.path) \(guarding.head.query ?? "-") \(guarding.head.target.parts)"
    do throws(Problem) {
      _ = try guarding.finish(headLimitBytes: 100, bodyLimitBytes: 100)
      return head
    } catch {
      return "\(head) \(error.detail)"
    }
  }
}
