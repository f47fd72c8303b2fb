package import CellTemplates
package import Cells

/// The query parameters that control the answer: `format`, `fields`, `on_error`, `missing`, `unknown`, `locale`,
/// `time_zone`, `now`, and those of Turbo Streams. In a query that is itself a row, a name that the
/// kind reads is data, except the first four, which always control the answer.
package struct Controls: Sendable, Equatable {
  package enum OnError: String, Sendable, CaseIterable { case fail, skip }

  /// nil if `Accept` decides.
  package var format: RowFormat?
  package var fields = RowFields.standard
  package var onError = OnError.fail
  /// nil for the server's default.
  package var missing: MissingPolicy?
  /// nil for the server's default.
  package var unknown: UnknownPolicy?
  package var stream = TurboStreamControls()
  /// nil if something else decides.
  package var locale: LocaleTag?
  package var timeZone: String?
  /// Seconds since 1970; nil for the clock.
  package var now: Int64?

  package init() {}

  /// Parses the query of a request whose data is in its body. Any other name is `.badRequest`.
  package init(query: String?) throws(Problem) {
    var reader = ControlReader()
    guard let query else { return }
    let view = query.utf8
    let text = view.span
    var pairs = FormPairs()
    while let pair = pairs.next(in: text) {
      if pair.isEmpty { continue }
      if try reader.take(pair, of: text) { continue }
      let name = FormFields.name(pair, text)
      throw Problem(
        .badRequest, detail: "the query name \(name) is not one of \(ControlReader.list); rows go in the body"
      )
    }
    self = reader.controls
  }

  /// Parses the query of a request whose data is in the query. Parameters that are not controls are appended
  /// to `data` as one JSON object. Throws `.badRequest`, `.tooDeep` beyond `depthLimit`, or `.bodyTooLarge`
  /// beyond `fieldLimit`.
  /// - Parameter isRead: whether the kind reads a member of this name in its rows. A control of that name is data, if
  ///   there were rows before there was the control.
  package init(
    query: String?, depthLimit: Int, fieldLimit: Int, data: inout ByteBuffer,
    isRead: (String) -> Bool = { _ in false }
  ) throws(Problem) {
    var reader = ControlReader()
    let view = (query ?? "").utf8
    let text = view.span
    let size = FormSize(of: text)
    try FormFields.check(size, fieldLimit: fieldLimit)
    var fields = FormFields(size, depthLimit: depthLimit)
    while !fields.prepare() {}
    var pairs = FormPairs()
    while let pair = pairs.next(in: text) {
      if pair.isEmpty { continue }
      if try !reader.take(pair, of: text, isRead: isRead) { try fields.add(pair, of: text) }
    }
    self = reader.controls
    let json = fields.json()
    data.append(json.bytes)
  }

  /// Throws `.badRequest` if there is any parameter, for routes that accept none.
  package static func refuse(query: String?) throws(Problem) {
    guard let query else { return }
    let view = query.utf8
    let text = view.span
    var pairs = FormPairs()
    while let pair = pairs.next(in: text) {
      if pair.isEmpty { continue }
      throw Problem(
        .badRequest,
        detail: "the query name \(FormFields.name(pair, text)) is unknown; this path accepts no query")
    }
  }
}
