extension RowFormat {
  /// The cells, concatenated.
  package static let html = RowFormat(
    "html", type: "text", subtype: "html", contentType: "text/html; charset=utf-8", content: .html,
    schema: "Text")
}
