import CellTemplates
import Cells

/// How to answer a batch: the request's options combined with the service's settings.
struct BatchOptions {
  let format: RowFormat
  let isSandboxed: Bool
  let fields: RowFields
  let onError: Controls.OnError
  /// What the query says of Turbo Streams, if they are the format.
  let turboStream: TurboStream?
  let limits: RenderLimits
  let settings: RowSettings
  /// An answer up to this size is complete before its head is sent. A tag covers the complete answer, so an answer with one
  /// is never streamed.
  let completeBytes: Int
  /// Whether the answer gets an entity tag.
  let isTagged: Bool
  /// Whether names that a kind never reads make a row bad.
  let refusesUnknownNames: Bool
  let onUnknownKind: ((String) -> Void)?
  let controls: Controls
  /// The request's `Accept-Language`.
  let acceptLanguage: String?
  /// Whether cells require names, whatever the request says.
  private let requiresNames: Bool

  /// Takes what each route knows of its request; this is the type that puts it together.
  init(
    _ format: RowFormat, isSandboxed: Bool, _ controls: Controls, _ settings: RowSettings,
    isTagged: Bool, acceptLanguage: String?,
    _ archive: CellArchive, onUnknownKind: ((String) -> Void)?
  ) {
    requiresNames = archive.requiresNames
    self.format = format
    self.isSandboxed = isSandboxed
    let isTurboStream = format.content == .turboStreams
    turboStream = isTurboStream ? TurboStream(controls.stream) : nil
    fields = isTurboStream ? .html : controls.fields
    onError = controls.onError
    limits = controls.limits(within: settings.render)
    self.settings = settings
    completeBytes = isTagged ? .max : settings.completeBytes
    refusesUnknownNames = controls.refusesUnknownNames(settings)
    self.isTagged = isTagged
    self.onUnknownKind = onUnknownKind
    self.controls = controls
    self.acceptLanguage = acceptLanguage
  }

  /// The locale, time zone and time of the rows of a batch; nil if nothing depends on them.
  func terms(of batch: Batch, in archive: CellArchive) throws(Problem) -> RenderTerms? {
    try RenderTerms.ofBatch(batch, in: archive, controls, acceptLanguage: acceptLanguage, settings)
  }

  /// What a query says of Turbo Streams, as it is used for each row.
  struct TurboStream {
    let action: TurboStreamControls.Action?
    let method: TurboStreamControls.Method?
    let target: TurboStreamTarget?

    init(_ controls: TurboStreamControls) {
      (action, method) = (controls.action, controls.method)
      target = TurboStreamTarget(controls)
    }

    /// Whether each row has an element of its own.
    var needsID: Bool { target?.needsID ?? false }
  }

  /// Whether bad rows are written into the answer in their positions.
  var writesErrors: Bool { onError == .skip && format.content == .objects }

  /// Whether rows must be rendered to find errors that must be known before the head is sent: a missing name
  /// or one that is never read refuses the request, and skipped rows are counted in a header.
  var judgesByRendering: Bool {
    onError == .skip || limits.missing == .error || requiresNames || refusesUnknownNames
  }

  /// An answer that begins with `body`.
  /// - Parameter tally: what the rows have not found, if all of them are rendered.
  func answer(
    _ body: consuming ByteBuffer, errorCount: Int, tally: ValueTally?, _ languages: AnswerLanguages
  ) -> Answer {
    var answer = Answer(rows: body, as: format, isSandboxed: isSandboxed)
    answer.isTagged = isTagged
    if errorCount > 0 { answer.headers.append(("CellFactory-Errors", String(errorCount))) }
    if let tally { answer.tally = tally }
    languages.apply(to: &answer)
    return answer
  }
}

extension Controls {
  /// Whether names that a kind never reads make a row bad.
  func refusesUnknownNames(_ settings: RowSettings) -> Bool { (unknown ?? settings.unknown) == .error }

  /// The service's limits, with the request's policy for missing names if it has one.
  func limits(within limits: RenderLimits) -> RenderLimits {
    var limits = limits
    if let missing { limits.missing = missing }
    return limits
  }
}

extension Answer {
  /// An answer with rendered rows.
  init(rows: consuming ByteBuffer, as format: RowFormat, isSandboxed: Bool) {
    self.init(status: 200, contentType: format.contentType, body: rows)
    self.isSandboxed = isSandboxed
    varies = .accept
  }
}
