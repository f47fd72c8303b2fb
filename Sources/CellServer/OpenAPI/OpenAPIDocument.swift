import Cells
import CellTemplates

/// The document that `GET /openapi.json` returns: the HTTP API as OpenAPI 3.1.
///
/// Routes, methods, codes and controls come from the tables that the service itself uses. Only the names of
/// the kinds depend on the archive; the rest is written once.
package struct OpenAPIDocument: Sendable {
  /// For an archive with more kinds, only the pattern of their names is given, so that tools can display the
  /// document.
  static let listedKinds = 1000

  /// The bytes before and after the schema of a kind's name.
  private let frame: (before: [UInt8], after: [UInt8])

  /// The document of a service with these paths.
  init(_ paths: [Path]) {
    var buffer = ByteBuffer()
    var position = 0
    Self.document(paths).append(to: &buffer) { position = $0.count }
    let bytes = Array(buffer.bytes)
    frame = (Array(bytes[..<position]), Array(bytes[position...]))
  }

  /// Appends the document. Equal archives give equal bytes.
  func append(of archive: CellArchive, to output: inout ByteBuffer) {
    output.append(frame.before)
    Self.appendKinds(of: archive, to: &output)
    output.append(frame.after)
    output.append("\n")
  }

  private static func appendKinds(of archive: CellArchive, to output: inout ByteBuffer) {
    output.append(
      "{\"description\":\"The name of a cell. In a path, its slashes may be sent as %2F or unescaped.\",")
    output.append("\"type\":\"string\",")
    if archive.kindCount > 0 && archive.kindCount <= listedKinds {
      output.append("\"enum\":[")
      for number in 0..<UInt32(archive.kindCount) {
        if number > 0 { output.append(",") }
        JSONText.append(stringOf: archive.name(ofKind: number), to: &output)
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
        "summary": "Renders JSON rows into cells.",
        "description": .string(
          "Every answer has CellFactory-Archive and X-Request-Id. Every answer that is not 2xx or 3xx is "
            + "application/problem+json, regardless of Accept; a method that a path does not have is answered with "
            + "405 and the header Allow. OPTIONS is answered with 204 and Allow or, if the server allows other "
            + "origins, as a preflight. If compression is enabled, Accept-Encoding is honoured."),
        "license": ["name": "Apache 2.0", "identifier": "Apache-2.0"],
      ],
      "servers": [["url": "/"]],
      "security": [],
      "tags": [
        ["name": "cells", "description": "Rows in, cells out."],
        ["name": "kinds", "description": "The kinds of cells and their data."],
        ["name": "web", "description": "Files for pages, of every origin."],
        ["name": "operations", "description": "For operators."],
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
