extension RowFormat {
  /// The cells in elements that change a page: `<turbo-stream>`. `TurboStreamElement` writes these.
  package static let turboStream = RowFormat(
    "turbo-stream", type: "text", subtype: "vnd.turbo-stream.html",
    contentType: "text/vnd.turbo-stream.html; charset=utf-8", content: .turboStreams, schema: "Text")
}
