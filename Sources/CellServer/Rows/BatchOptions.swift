import Cells

/// How a batch is to be answered: what the request asks for, within the service's settings.
struct BatchOptions {
  let format: RowFormat
  let isSandboxed: Bool
  let fields: RowFields
  let onError: Controls.OnError
  let limits: RenderLimits
  let settings: RowSettings
  /// The answer gets an entity tag.
  let isTagged: Bool
  let onUnknownKind: ((String) -> Void)?

  init(
    _ format: RowFormat, isSandboxed: Bool, _ controls: Controls, _ settings: RowSettings,
    isTagged: Bool,
    onUnknownKind: ((String) -> Void)?
  ) {
    self.format = format
    self.isSandboxed = isSandboxed
    fields = controls.fields
    onError = controls.onError
    limits = controls.limits(within: settings.render)
    self.settings = settings
    self.isTagged = isTagged
    self.onUnknownKind = onUnknownKind
  }

  /// Bad rows are written into the answer, in their places.
  var writesErrors: Bool { onError == .skip && format.content == .objects }

  /// Only by drawing a row can it be known whether it is bad in a way that must be known before the head is sent: a name
  /// that finds nothing refuses the request, and a bad row that is skipped is counted in a header.
  var judgesByDrawing: Bool { onError == .skip || limits.missing == .error }

  /// The answer that begins with `body`.
  func answer(_ body: consuming ByteBuffer, errorCount: Int) -> Answer {
    var answer = Answer(rows: body, as: format, isSandboxed: isSandboxed)
    answer.isTagged = isTagged
    if errorCount > 0 { answer.headers.append(("CellFactory-Errors", String(errorCount))) }
    return answer
  }
}

extension Controls {
  /// The limits of a request: the service's, and what is to become of missing names if it says so.
  func limits(within limits: RenderLimits) -> RenderLimits {
    var limits = limits
    if let missing { limits.missing = missing }
    return limits
  }
}

extension Answer {
  /// What rows have drawn.
  init(rows: consuming ByteBuffer, as format: RowFormat, isSandboxed: Bool) {
    self.init(status: 200, contentType: format.contentType, body: rows)
    self.isSandboxed = isSandboxed
    varies = .accept
  }
}
