import CellServer
import Testing

@testable import CellFactoryCLI

@Suite struct HealthTargetTests {
  static let urls: [(url: String, target: HealthCheck.Target?)] = [
    (
      "http://localhost:8080",
      HealthCheck.Target(address: ServerAddress(host: "localhost", port: 8080), path: "")
    ),
    (
      "http://localhost:8080/",
      HealthCheck.Target(address: ServerAddress(host: "localhost", port: 8080), path: "")
    ),
    ("http://localhost", HealthCheck.Target(address: ServerAddress(host: "localhost", port: 80), path: "")),
    (
      "http://a.example:1/cells//",
      HealthCheck.Target(address: ServerAddress(host: "a.example", port: 1), path: "/cells")
    ),
    (
      "http://a.example/x/y",
      HealthCheck.Target(address: ServerAddress(host: "a.example", port: 80), path: "/x/y")
    ),
    (
      "http://0.0.0.0:65535",
      HealthCheck.Target(address: ServerAddress(host: "127.0.0.1", port: 65535), path: "")
    ),
    ("http://[::]:8080", HealthCheck.Target(address: ServerAddress(host: "::1", port: 8080), path: "")),
    ("http://[fe80::1]/a", HealthCheck.Target(address: ServerAddress(host: "fe80::1", port: 80), path: "/a")),
    ("", nil), ("localhost:8080", nil), ("https://localhost", nil), ("http://", nil), ("http:///a", nil),
    ("http://:8080", nil), ("http://a:", nil), ("http://a:0", nil), ("http://a:65536", nil),
    ("http://a:http", nil), ("http://a:1:2", nil), ("http://me@a", nil), ("http://a/?q=1", nil),
    ("http://a/#f", nil), ("http://[::1", nil), ("http://[::1]8080", nil), ("http://[::1]:", nil),
    ("http://[]:80", nil), ("http://a b", nil), ("http://a/\r\nX: y", nil), ("http://é", nil),
  ]

  @Test func aURLIsABaseOrNothing() {
    for (url, target) in Self.urls { #expect(HealthCheck.Target(url: url) == target, "\(url)") }
  }
}
