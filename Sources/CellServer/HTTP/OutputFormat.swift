import CellTemplates

/// The forms in which rendered cells are answered; the raw value is the one of `?format=`.
package enum OutputFormat: String, Sendable, CaseIterable {
  case html, json, ndjson, text

  /// The header `Content-Type` of an answer.
  package var contentType: StaticString {
    switch self {
    case .html: "text/html; charset=utf-8"
    case .json: "application/json"
    case .ndjson: "application/x-ndjson"
    case .text: "text/plain; charset=utf-8"
    }
  }

  /// Type and subtype, as `Accept` names them.
  package var mediaType: String { "\(type)/\(subtype)" }

  var type: String {
    switch self {
    case .html, .text: "text"
    case .json, .ndjson: "application"
    }
  }

  var subtype: String {
    switch self {
    case .html: "html"
    case .json: "json"
    case .ndjson: "x-ndjson"
    case .text: "plain"
    }
  }

  /// The one in which a kind's cells are answered as they are drawn, and nothing else.
  init(ofKind kind: UInt32, in archive: CellArchive) { self = archive.isText(kind) ? .text : .html }

  /// What an HTML cell can be answered as, the preferred one first.
  package static let ofHTMLCell: [OutputFormat] = [.html, .json, .ndjson]
  /// What a text cell can be answered as: it is never HTML.
  package static let ofTextCell: [OutputFormat] = [.text, .json, .ndjson]
  /// What a batch of cells of any kind can be answered as.
  package static let ofBatch: [OutputFormat] = [.html, .json, .ndjson, .text]
}
