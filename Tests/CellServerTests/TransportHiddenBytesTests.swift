@testable import CellServer
import Testing

/// Bytes of a head that libmicrohttpd hides: it joins folded lines to names, cuts values at a zero byte, and takes a line without
/// a name for the end. Others read such a head differently, so the request is refused, and what follows it is not read.
@Suite struct TransportHiddenBytesTests {
  private static let next = "GET /fill?3 HTTP/1.1\r\nHost: a\r\n\r\n"

  /// Lines after `Host: a`, and what follows the head.
  static let refused: [(name: String, lines: String, rest: String)] = [
    ("a length made by folding", "Content-Lengt: 7\r\n h\r\n", "text=ab"),
    ("a coding made by folding", "Transfer-Encodin: chunked\r\n g\r\n", "2\r\nab\r\n0\r\n\r\n"),
    ("an identifier made by folding", "X-Req: abc\r\n uest-Id\r\n", ""),
    ("a folded identifier", "X-Request-Id: abc\r\n def\r\n", ""),
    ("a folded list", "Accept: a/b,\r\n\tc/d\r\n", ""),
    ("a fold between other fields", "X-A: a\r\n b\r\nX-B: c\r\n", ""),
    ("two folds", "X-A: a\r\n b\r\n c\r\n", ""),
    ("a fold of nothing", "X-A: a\r\n \r\n", ""),
    ("a fold of an empty value", "X-A:\r\n a\r\n", ""),
    ("a fold after bare LF", "X-A: a\n b\n", ""),
    ("a zero byte in a value", "X-Request-Id: a\0b\r\n", ""),
    ("a zero byte after a value", "X-Request-Id: a\0\r\nX-A: b\r\n", ""),
    ("a zero byte before a fold", "Content-Lengt: 7\0\r\n h\r\n", "text=ab"),
    ("a line that begins with a zero byte", "\0X-A: b\r\n", "X-B: c\r\n\r\n"),
    ("a line that begins with a colon", ": b\r\n", "X-B: c\r\n\r\n"),
    ("a colon alone", ":\r\n", "X-B: c\r\n\r\n"),
    ("a colon and a letter after a bare LF", "X-A: a\n:x\n", "X-B: c\r\n\r\n"),
    ("a zero byte and a letter after a bare LF", "X-A: a\n\0x\n", "X-B: c\r\n\r\n"),
    ("a colon after another field", "X-A: a\r\n: b\r\n", "X-B: c\r\n\r\n"),
  ]

  private static func head(_ lines: String, method: String = "GET", padding: Int? = nil) -> String {
    let target = "/x" + (padding.map { "?" + String(repeating: "p", count: $0) } ?? "")
    return "\(method) \(target) HTTP/1.1\r\nHost: a\r\n\(lines)\r\n"
  }

  @Test(arguments: refused.indices, ["GET", "POST"]) func nothingIsReadAfterHiddenBytes(
    number: Int, method: String
  ) throws {
    let (name, lines, rest) = Self.refused[number]
    let server = try TransportTestServer()
    let client = server.client
    client.send(Self.head(lines, method: method) + rest + Self.next)
    #expect(client.readAnswer()?.status == 400, "\(name)")
    #expect(client.readToEnd() == [], "\(name): one answer")
    #expect(server.eventually(\.isIdle) && server.sum(\.requests) == 1, "\(name)")
  }

  @Test func alsoIfTheHeadComesByteByByte() throws {
    let server = try TransportTestServer()
    for (name, lines, rest) in Self.refused {
      let client = server.client
      for byte in (Self.head(lines) + rest).utf8 { client.send([byte]) }
      #expect(client.readAnswer()?.status == 400, "\(name)")
    }
  }

  @Test(arguments: ["POST /x HTTP/1.0\r\n\0X: b\r\n", "POST /x HTTP/1.0\r\n: b\r\n"])
  func aHeadWithoutFieldsIsJudgedToo(head: String) throws {
    let server = try TransportTestServer()
    let client = server.client
    client.send(head.replacing("POST", with: "GET") + "X: c\r\n\r\n")
    #expect(client.readAnswer()?.status == 400)
    #expect(client.readToEnd() == [])
  }

  /// A name at the end of the buffer is joined in place, so its value still follows it.
  @Test func foldsAtTheEndOfTheBufferAreRefused() throws {
    let server = try TransportTestServer { $0.headLimitBytes = 32 << 10 }
    let half = server.server.settings.connectionMemoryBytes / 2
    for lines in ["Content-Lengt:    7\r\n h\r\n", "a:    7\r\n b\r\n", "a:b\r\n c\r\n"] {
      for left in -40...40 {
        let bare = Self.head(lines, padding: 0).utf8.count
        let client = server.client
        client.send(Self.head(lines, padding: half - left - bare) + Self.next)
        #expect(client.readAnswer()?.status == 400, "\(lines.debugDescription), \(left) bytes left")
        #expect(client.readToEnd() == [])
      }
    }
  }

  static let accepted = [
    "X-A: a\r\nX-B:\r\n", "X-A:a\r\nX-B: \t b \t\r\nX-C:\t\r\n", "X-A: a\nX-B: b\r\n",
    "Cookie: a=b; c=d\r\nX-A: b\r\n",
    String(repeating: "X-A: b\r\n", count: 300), "X-A: " + String(repeating: "a", count: 25_000) + "\r\n", "",
  ]

  @Test(arguments: accepted.indices, ["", "\r\n", "\r\n\r\n"]) func otherHeadsAreRead(
    number: Int, before: String
  )
    throws
  {
    let lines = Self.accepted[number]
    let server = try TransportTestServer()
    let client = server.client
    client.send(before + Self.head(lines) + Self.next)
    #expect(client.readAnswer()?.status == 200)
    #expect(client.readAnswer()?.text == "xxx")
    client.send(Self.head(lines).replacing("\r\n", with: "\n") + Self.next)
    #expect(client.readAnswer()?.status == 200)
    #expect(client.readAnswer()?.text == "xxx")
    if lines.utf8.count > 100 { return }
    for byte in Self.head(lines).utf8 { client.send([byte]) }
    #expect(client.readAnswer()?.status == 200)
  }
}
