/// The formats of rows.
///
/// To add one: describe it in a file of this folder, and add it to `all`. One that writes objects other than those of JSON brings a
/// `RowWriter`; one that writes something else than cells or objects, a case of `RowFormat.Content`, which `BatchRenderer` asks for.
package enum RowFormats {
  /// Every format. Earlier ones are preferred if the request does not decide.
  package static let all: [RowFormat] = [.html, .json, .ndjson, .text, .turboStream]

  /// The formats for an HTML cell, the preferred one first, without Turbo Streams, which need a target.
  package static let ofHTMLCell = all.filter { $0.content == .html } + all.filter { $0.content == .objects }
  /// The formats for a text cell, which is never sent as HTML.
  package static let ofTextCell = all.filter { $0.content == .text } + all.filter { $0.content == .objects }
  /// The formats for cells of any kind, without Turbo Streams.
  package static let ofAnyCell = all.filter { $0.content != .turboStreams }

  /// The format with this name, if any.
  package static func named(_ name: String) -> RowFormat? { all.first { $0.name == name } }
}
