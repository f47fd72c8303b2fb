import CellServer
import Testing

@Suite struct HTTPAllowedOriginsTests {
  @Test(arguments: [
    ("https://example.org", "https://example.org"), ("HTTPS://Example.ORG", "https://example.org"),
    ("https://example.org:443", "https://example.org"), ("http://example.org:80", "http://example.org"),
    ("http://example.org:443", "http://example.org:443"), ("http://localhost:3000", "http://localhost:3000"),
    ("http://127.0.0.1:08080", "http://127.0.0.1:8080"), ("http://[::1]:3000", "http://[::1]:3000"),
    ("http://[::1]", "http://[::1]"), ("capacitor://localhost", "capacitor://localhost"),
    ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
  ]) func asBrowsersSendThem(text: String, origin: String) throws {
    var origins = AllowedOrigins()
    try origins.add(text)
    try origins.add(origin)
    #expect(origins.list == [origin])
  }

  @Test(arguments: [
    "", "*", "null", "example.org", "https://", "://example.org", "https://example.org/",
    "https://example.org/a",
    "https://example.org?a", "https://a@example.org", "https://example.org:", "https://example.org:0",
    "https://example.org:65536", "https://example.org:+1", "https://exa mple.org", "https://bücher.example",
    "https://*.example.org", "1http://example.org", "http://[::1", "http://[]", "https://a,https://b",
  ]) func noOrigins(text: String) {
    var origins = AllowedOrigins()
    #expect(throws: OriginError.self) { try origins.add(text) }
    #expect(origins.list.isEmpty)
  }
}
