import CellServer
import CellTemplates
import Cells

/// The rows for the cells of the preview's own pages.
enum PageRows {
  /// Beyond it, the list beside a kind has only the kinds of its nib.
  private static let listedKinds = 300

  /// The row of `index`: the nibs and files with their kinds.
  static func index(_ edition: PreviewEdition) -> JSONNode {
    var files: [(file: String, kinds: [PreviewKind])] = []
    for kind in edition.kinds {
      if files.last?.file == kind.file {
        files[files.count - 1].kinds.append(kind)
      } else {
        files.append((kind.file, [kind]))
      }
    }
    return [
      "edition": .string(edition.hash),
      "count": .number(edition.kinds.count),
      "countsOne": .bool(edition.kinds.count == 1),
      "isEmpty": .bool(edition.kinds.isEmpty),
      "files": .array(
        files.map { file in
          ["file": .string(file.file), "kinds": .array(file.kinds.map(card))]
        }),
    ]
  }

  private static func card(_ kind: PreviewKind) -> JSONNode {
    [
      "kind": .string(kind.name), "page": .string(kind.page), "frame": .string(kind.frame),
      "rows": .number(kind.rows.count),
    ]
  }

  /// The row of `kind`. `missing` is the policy of requests that do not say it.
  static func kind(_ kind: PreviewKind, missing: MissingPolicy, _ edition: PreviewEdition) -> JSONNode {
    let isLong = edition.kinds.count > listedKinds
    let listed = isLong ? edition.kinds.filter { $0.file == kind.file } : edition.kinds
    return [
      "edition": .string(edition.hash),
      "kind": .string(kind.name), "file": .string(kind.file), "line": .number(kind.line),
      "frame": .string(kind.frame), "format": .string(kind.isText ? "text" : "html"),
      "body": .string(edition.archive.rowUses(of: kind.number).takeEnvelope ? "rows" : "items"),
      "isInNib": .bool(kind.nib != nil),
      "policies": .array(
        MissingPolicy.allCases.map { ["text": .string($0.rawValue), "isDefault": .bool($0 == missing)] }),
      // None if the kind depends on no locale.
      "locales": .array(edition.archive.localeTags(of: kind.number).map { ["tag": .string($0)] }),
      "ownLocale": .string(edition.archive.localeTags(of: kind.number).first ?? ""),
      "hasRows": .bool(!kind.rows.isEmpty),
      "rows": .array(
        kind.rows.enumerated().map { position, row in
          ["text": .string(label(of: row, at: position)), "json": .string(row.json)]
        }),
      "kinds": .array(
        listed.map { other in
          [
            "kind": .string(other.name), "page": .string(other.page),
            "isCurrent": .bool(other.name == kind.name),
          ]
        }),
      "description": .hole,
    ]
  }

  /// The first text of a row, to tell rows apart.
  private static func label(of row: SampleRow, at position: Int) -> String {
    let number = "\(position + 1)"
    guard let colon = row.json.firstIndex(of: ":") else { return number }
    let value = row.json[row.json.index(after: colon)...].drop(while: \.isWhitespace)
    guard value.first == "\"" else { return number }
    let text = value.dropFirst().prefix(41).prefix { $0 != "\"" && $0 != "\\" }
    if text.isEmpty { return number }
    return number + ": " + (text.count > 40 ? text.prefix(40) + "…" : text)
  }

  /// The rows of `diagnostics`, which are also the data of events. `source` returns the line of a file.
  static func diagnostics(_ diagnostics: [Diagnostic], source: (Diagnostic) -> String?) -> JSONNode {
    .array(
      diagnostics.prefix(diagnosticLimit).map { diagnostic in
        let position = diagnostic.line > 0 ? ":\(diagnostic.line):\(diagnostic.column)" : ""
        var node: [(name: String, value: JSONNode)] = [
          ("file", .string(diagnostic.file)), ("line", .number(diagnostic.line)),
          ("column", .number(diagnostic.column)), ("place", .string(diagnostic.file + position)),
          ("severity", .string(diagnostic.severity.rawValue)), ("code", .string(diagnostic.code.rawValue)),
          ("message", .string(diagnostic.message)), ("hint", .string(diagnostic.hint)),
        ]
        if let line = source(diagnostic) { node.append(("source", .string(line))) }
        return .object(node)
      })
  }

  static let diagnosticLimit = 50
}
