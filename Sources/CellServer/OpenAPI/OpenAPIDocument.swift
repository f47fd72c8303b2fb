import Cells
import CellTemplates

/// What `GET /openapi.json` answers: the contract of HTTP as a document of OpenAPI 3.1.
///
/// Routes, methods, codes and controls are those of the tables that the service itself goes by. All but the names of the
/// kinds is the same for every archive, and written once.
package struct OpenAPIDocument: Sendable {
  /// An archive of more kinds is told by the form of their names alone: the document stays one that tools can show.
  static let listedKinds = 1000

  /// The bytes around the schema of a kind's name.
  private let frame: (before: [UInt8], after: [UInt8])

  /// The document of a service that has these paths.
  init(_ paths: [Path]) {
    var buffer = ByteBuffer()
    var place = 0
    Self.document(paths).append(to: &buffer) { place = $0.count }
    let bytes = Array(buffer.bytes)
    frame = (Array(bytes[..<place]), Array(bytes[place...]))
  }

  /// Appends the document. The same archive gives the same bytes.
  func append(of archive: CellArchive, to output: inout ByteBuffer) {
    output.append(frame.before)
    Self.appendKinds(of: archive, to: &output)
    output.append(frame.after)
    output.append("\n")
  }

  private static func appendKinds(of archive: CellArchive, to output: inout ByteBuffer) {
    output.append(
      "{\"description\":\"The name of a cell. In a path its slashes are sent as %2F or as they are.\",")
    output.append("\"type\":\"string\",")
    if archive.kinds.count > 0 && archive.kinds.count <= listedKinds {
      output.append("\"enum\":[")
      for number in 0..<archive.kinds.count {
        if number > 0 { output.append(",") }
        JSONText.append(stringOf: archive.bytes(archive.kinds[number].name), to: &output)
      }
      output.append("]}")
    } else {
      output.append("\"pattern\":\"^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$\"}")
    }
  }

  private static func document(_ paths: [Path]) -> JSONNode {
    [
      "openapi": "3.1.0",
      "info": [
        "title": "CellFactory",
        "version": .string(ServiceVersion.current),
        "summary": "Turns rows of JSON into rendered cells.",
        "description": .string(
          "Every answer carries CellFactory-Archive and X-Request-Id. Every answer that is not 2xx or 3xx is "
            + "application/problem+json, whatever was accepted; a method that a path does not have is answered with "
            + "405 and the header Allow. OPTIONS answers 204 with Allow, or, where the server lets pages of other "
            + "origins ask, a preflight. Where compression is switched on, Accept-Encoding is honoured."),
        "license": ["name": "Apache 2.0", "identifier": "Apache-2.0"],
      ],
      "servers": [["url": "/"]],
      "security": [],
      "tags": [
        ["name": "cells", "description": "Rows in, cells out."],
        ["name": "kinds", "description": "What cells there are, and the data they take."],
        ["name": "operations", "description": "For those who run the service."],
      ],
      "paths": .object(paths.map { ($0.path, item($0)) }),
      "components": [
        "parameters": parameters,
        "headers": headers,
        "schemas": .object([("Kind", .hole)]).with(schemas),
        "responses": problems,
      ],
    ]
  }
}
