extension RowFormat {
  /// Text cells, concatenated.
  package static let text = RowFormat(
    "text", type: "text", subtype: "plain", contentType: "text/plain; charset=utf-8", content: .text,
    schema: "Text")
}
