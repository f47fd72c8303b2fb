import Testing

@testable import CellFactoryCLI

@Suite struct UnknownVariablesTests {
  static let rows: [(name: String, value: String, nearest: String??)] = [
    ("CELLFACTORY_PROT", "1", "CELLFACTORY_PORT"), ("CELLFACTORY_WORKER", "1", "CELLFACTORY_WORKERS"),
    ("CELLFACTORY_LOGLEVEL", "1", "CELLFACTORY_LOG_LEVEL"), ("CELLFACTORY_SOMETHING", "1", .some(nil)),
    ("CELLFACTORY_port", "1", "CELLFACTORY_PORT"), ("CELLFACTORY_", "", .some(nil)),
    ("CELLFACTORY_" + String(repeating: "X", count: 500), "1", .some(nil)),
    // Known, or without our prefix.
    ("CELLFACTORY_PORT", "1", nil), ("CELLFACTORY_URL", "1", nil), ("CELLFACTORY_ACCESS_LOG", "on", nil),
    ("cellfactory_prot", "1", nil), ("PORT", "1", nil),
    // Variables that an orchestrator sets for Services named cellfactory, cellfactory-haproxy, cellfactory-2.
    ("CELLFACTORY_SERVICE_HOST", "10.0.0.1", nil), ("CELLFACTORY_SERVICE_PORT", "80", nil),
    ("CELLFACTORY_SERVICE_PORT_HTTP", "80", nil), ("CELLFACTORY_PORT_80_TCP", "tcp://10.0.0.1:80", nil),
    ("CELLFACTORY_PORT_80_TCP_PROTO", "tcp", nil), ("CELLFACTORY_PORT_80_TCP_PORT", "80", nil),
    ("CELLFACTORY_PORT_80_TCP_ADDR", "10.0.0.1", nil), ("CELLFACTORY_PORT_53_UDP_ADDR", "10.0.0.1", nil),
    ("CELLFACTORY_HAPROXY_PORT", "tcp://10.0.0.1:80", nil),
    ("CELLFACTORY_HAPROXY_SERVICE_HOST", "10.0.0.1", nil),
    ("CELLFACTORY_2_PORT_80_TCP_PORT", "80", nil),
    ("CELLFACTORY_HAPROXY_PORT", "80", .some(nil)), ("CELLFACTORY_PORT_80", "1", .some(nil)),
    ("CELLFACTORY_PORT_X_TCP", "1", .some(nil)),
  ]

  @Test func typingErrorsAreFoundAndServiceLinksAreNot() {
    for row in Self.rows {
      let found = UnknownVariables.find(in: [row.name: row.value])
      switch row.nearest {
      case nil: #expect(found == [], "\(row.name)")
      case .some(let nearest): #expect(found == [.init(name: row.name, nearest: nearest)], "\(row.name)")
      }
    }
  }

  @Test func reportedErrorsAreLimited() {
    let many = Dictionary(uniqueKeysWithValues: (100..<200).map { ("CELLFACTORY_X\($0)", "") })
    #expect(UnknownVariables.find(in: many).map(\.name) == (100..<116).map { "CELLFACTORY_X\($0)" })
  }
}
