extension RowFormat {
  /// Every format. What comes first is preferred where a request leaves it open.
  package static let all: [RowFormat] = [.html, .json, .ndjson, .text]

  /// What an HTML cell can be answered as, the preferred one first.
  package static let ofHTMLCell = all.filter { $0.content == .html } + all.filter { $0.content == .objects }
  /// What a text cell can be answered as: it is never HTML.
  package static let ofTextCell = all.filter { $0.content == .text } + all.filter { $0.content == .objects }

  /// The format of this name, if there is one.
  package static func named(_ name: String) -> RowFormat? { all.first { $0.name == name } }
}
