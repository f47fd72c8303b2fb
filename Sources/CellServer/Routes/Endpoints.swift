package import Cells
package import CellTemplates

/// Every endpoint of the service. A new one is a line here, and its own file.
enum Endpoints {
  /// In the order of the contract.
  static let all: [Endpoint] = [
    .mixedCells, .cells, .kinds, .kind, .schema, .liveness, .readiness, .metrics, .openAPI, .server,
  ]

  /// The place in `all` of the endpoint that a target names. Throws what its path is refused with.
  static func place(of target: borrowing RequestTarget) throws(Problem) -> Int {
    for place in all.indices where all[place].isNamed(by: target) { return place }
    if !target.isWellFormed { _ = try PathParts(target.path) }
    throw .nothing(at: target.path)
  }

  fileprivate static let contract = OpenAPIDocument(
    all.compactMap { endpoint in
      endpoint.description.map {
        OpenAPIDocument.Path(
          path: endpoint.path.description, methods: endpoint.methods.names, description: $0)
      }
    })
}

extension OpenAPIDocument {
  /// Appends the document of these endpoints. The same archive gives the same bytes.
  package static func append(of archive: CellArchive, to output: inout ByteBuffer) {
    Endpoints.contract.append(of: archive, to: &output)
  }
}

extension ServerSettings {
  /// Of a server that has these endpoints.
  package init(host: String = "127.0.0.1", port: Int = 8080, workers: Int = 1) {
    self.init(host: host, port: port, workers: workers, metrics: Metrics())
  }
}

extension Metrics {
  /// Of a server that has these endpoints.
  /// - Parameters:
  ///   - version: the program's own.
  ///   - kindLimit: how many kinds are told apart, 0...`highestKindLimit`.
  package convenience init(version: String = "", kindLimit: Int = defaultKindLimit) {
    let routes = Endpoints.all.map { RouteLabels.Route(label: $0.path, namesKind: $0.namesKind) }
    self.init(version: version, kindLimit: kindLimit, routes: RouteLabels(routes))
  }
}
