package import Cells
package import CellTemplates

/// The endpoints of every server. To add one, add a line here and a file.
enum Endpoints {
  /// In the order of the API description. The first that has a target's path answers it. `mixedCells` is `/cells`, and `cells`
  /// is `/cells/KIND`.
  static let all: [Endpoint] = [
    .mixedCells, .cells, .kinds, .kind, .schema, .clientScript, .clientTypes, .styles, .style, .asset,
    .liveness, .readiness, .metrics,
    .openAPI, .asterisk,
  ]

  /// The index in `endpoints` of the first endpoint for a target. Throws the problem if there is none.
  static func position(
    of target: borrowing RequestTarget, in endpoints: [Endpoint] = all
  ) throws(Problem) -> Int {
    for position in endpoints.indices where endpoints[position].isNamed(by: target) { return position }
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
  /// Appends the description of these endpoints. Equal archives give equal bytes.
  package static func append(of archive: CellArchive, to output: inout ByteBuffer) {
    Endpoints.contract.append(of: archive, to: &output)
  }
}

extension ServerSettings {
  /// Settings for a server with these endpoints.
  package init(
    address: ServerAddress = ServerAddress(host: "127.0.0.1", port: 8080), workers: Int = 1
  ) {
    self.init(address: address, workers: workers, metrics: Metrics())
  }
}

extension Metrics {
  /// Metrics for a server with these endpoints.
  /// - Parameters:
  ///   - version: the program's version.
  ///   - kindLimit: the number of kinds with a label of their own, 0...`highestKindLimit`.
  ///   - more: the endpoints of this server that not every server has.
  package convenience init(
    version: String = "", kindLimit: Int = defaultKindLimit, more: [Endpoint] = []
  ) {
    let routes = (Endpoints.all + more).map { RouteLabels.Route(label: $0.path, namesKind: $0.namesKind) }
    self.init(version: version, kindLimit: kindLimit, routes: RouteLabels(routes))
  }
}
