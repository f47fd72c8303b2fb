import CFormats
import CellTemplates

/// Values that a format shows.
extension Renderer {
  /// How the name of a currency is looked up: as the value was.
  enum CurrencyPlace {
    /// A Mustache name.
    case outward
    /// An outlet, or an attribute without one.
    case inside
    /// An attribute of an element with an outlet.
    case beside
  }

  /// The value of the currency that a format names; missing if it names none.
  /// - Parameter value: what the format shows. If the look-up pauses, it is kept in `lookups.foundValue`, because it is
  ///   not to be looked up again.
  /// - Throws: `.paused`.
  @inline(never)
  mutating func currency(
    of format: UInt32, for value: RenderValue, slot: UInt32, _ position: CurrencyPlace,
    _ stack: inout RenderStack
  ) throws(RenderFault) -> RenderValue {
    guard let formats else { preconditionFailure("a kind with formats depends on its locale") }
    let path = formats.entry(format).pointee.currencyPath
    if path == noIndex { return .missing }
    do throws(RenderFault) {
      switch position {
      case .outward: return try findPath(tables.paths + Int(path), slot: slot, in: &stack.contexts)
      case .inside: return try findOutletPath(tables.paths + Int(path), slot: slot, in: &stack.contexts)
      case .beside: return try findBound(path, slot: slot, isBeside: true, &stack)
      }
    } catch {
      lookups.foundValue = value
      throw error
    }
  }

  /// Prints a value as its format shows it. What does not fit is printed as it is, and counted; or it makes the row bad,
  /// as the policy for missing names says. Cursor, output and stack are passed apart here and elsewhere, because a type that
  /// holds them would be copied for each value.
  @inline(never)
  mutating func print(
    _ value: RenderValue, as format: PlanRecorder.ShownAs, through escaper: Escaper,
    _ missing: MissingPolicy.Own, at cursor: OutputCursor, _ output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) -> OutputCursor {
    guard let formats else { preconditionFailure("a kind with formats depends on its locale") }
    if tape.isNothing(value) {
      return try print(value, through: escaper, at: cursor, &output, &stack.scratch)
    }
    switch formats.entry(format.number).pointee.knownKind.takes {
    case .text:
      if let printed = try printText(
        value, format.number, through: escaper, at: cursor, &output, &stack.scratch)
      {
        return printed
      }
    case .list:
      if let printed = try printList(
        value, format.number, through: escaper, at: cursor, &output, &stack.scratch)
      {
        return printed
      }
    case .number, .date:
      if let printed = try print(value, as: format, through: escaper, at: cursor, &output) { return printed }
    }
    noteMisfit(value, format.number, missing, &stack)
    var noted = format
    if !isText(value) || !mayNote(&noted) {
      // Rows of this shape never fit.
      noteForeign()
      return try print(value, through: escaper, at: cursor, &output, &stack.scratch)
    }
    shownAs = noted
    defer { shownAs = nil }
    return try print(value, through: escaper, at: cursor, &output, &stack.scratch)
  }

  /// Prints a text of a planned row as its format shows it.
  /// - Returns: nil if it does not fit.
  mutating func print(
    _ value: RenderValue, planned format: PlanRecorder.ShownAs, through escaper: Escaper,
    at cursor: OutputCursor, _ output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor? {
    guard let formats else { preconditionFailure("a kind with formats depends on its locale") }
    if format.isMachine { return try printMachine(value, format.number, at: cursor, &output) }
    if formats.entry(format.number).pointee.knownKind.takes == .text {
      return try printText(value, format.number, through: escaper, at: cursor, &output, &scratch)
    }
    return try print(value, as: format, through: escaper, at: cursor, &output)
  }

  /// Prints a text as a format of texts shows it.
  /// - Returns: nil if the value is no text.
  private mutating func printText(
    _ value: RenderValue, _ format: UInt32, through escaper: Escaper, at cursor: OutputCursor,
    _ output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor? {
    guard let formats else { preconditionFailure("a kind with formats depends on its locale") }
    guard case .truncate = formats.entry(format).pointee.knownKind else {
      preconditionFailure("not a format of texts")
    }
    return try cut(value, format, through: escaper, at: cursor, &output, &scratch)
  }

  // MARK: Numbers and dates

  /// - Returns: nil if the value does not fit.
  private mutating func print(
    _ value: RenderValue, as format: PlanRecorder.ShownAs, through escaper: Escaper,
    at cursor: OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor? {
    guard let formats else { preconditionFailure("a kind with formats depends on its locale") }
    lookSoon(unlessReady: format.number, formats)
    let needsCurrency = formats.entry(format.number).pointee.currencyPath != noIndex
    if needsCurrency, !isText(format.currency) { return nil }
    let currency = needsCurrency ? text(of: format.currency.raw) : nil
    let printed: UnsafeRawBufferPointer?
    if isText(value) {
      printed = formats.print(text(of: value.raw), as: format.number, currency: currency)
    } else if let number = value.loopNumber {
      printed = Array(String(number).utf8).withUnsafeBufferPointer {
        formats.print($0, as: format.number, currency: currency)
      }
    } else {
      printed = nil
    }
    guard let printed else { return nil }
    return try append(printed, through: escaper, at: cursor, &output, notedAs: value, format)
  }

  /// Lets the clock be checked after a format was made ready, which takes as long as many steps.
  mutating func lookSoon(unlessReady format: UInt32, _ formats: RequestFormats) {
    if !formats.isReady(format) { lookStep = steps }
  }

  /// Whether a plan may print what this format shows, in C if `CFormats` has a formatter for it.
  private func mayNote(_ format: inout PlanRecorder.ShownAs) -> Bool {
    guard let formats else { return false }
    let entry = formats.entry(format.number)
    let formatter = formats.formatter(format.number)
    format.isPrintedInC = formatter != nil
    format.isPlain = formatter.map { cf_formatter_is_plain($0) } ?? false
    if entry.pointee.currencyPath == noIndex {
      format.currency = .missing
      return true
    }
    return isText(format.currency)
  }

  /// Appends what is printed of a value, and records it.
  mutating func append(
    _ text: UnsafeRawBufferPointer, through escaper: Escaper, at cursor: OutputCursor,
    _ output: inout ByteBuffer, notedAs value: RenderValue, _ format: PlanRecorder.ShownAs
  ) throws(RenderFault) -> OutputCursor {
    output.setEnd(cursor.target)
    let (offset, iterationsBefore) = (output.count, iterations)
    try append(text, through: escaper, to: &output)
    // Printing reads no more than it writes, and is no work beside it.
    iterations = iterationsBefore
    let end = self.cursor(of: &output)
    if planner.isRecording {
      var noted = format
      if isText(value), mayNote(&noted) {
        planner.note(value, escaper, noted, at: offset..<output.count, iterations: 0)
      } else if value.isNode || !isConstant(format) {
        noteForeign()
      }
    }
    return end
  }

  /// Whether a format shows the number of a loop alike in all rows of a shape: if it has no currency, which is a text, and
  /// is none of dates, which depend on the time zone and the time.
  private func isConstant(_ format: PlanRecorder.ShownAs) -> Bool {
    guard let entry = formats?.entry(format.number) else { return false }
    return entry.pointee.knownKind.takes == .number && entry.pointee.currencyPath == noIndex
  }

  // MARK: What does not fit

  /// Counts a value that does not fit its format, or records it where that is an error.
  private mutating func noteMisfit(
    _ value: RenderValue, _ format: UInt32, _ missing: MissingPolicy.Own, _ stack: inout RenderStack
  ) {
    guard let formats else { preconditionFailure("a kind with formats depends on its locale") }
    memo.misfits?.note(value, written: format, inForce: formats.number(format))
    guard case .error = missing.policy(orOfRequest: limits.missing), value.isNode else {
      memo.tally.misfits &+= 1
      return
    }
    stack.noteMissing(
      MissingName(
        name: "", object: value.raw, isOfOwner: false,
        misfit: faultName(formats.entry(format).pointee.text)))
  }

  // MARK: Values

  /// Whether a value is a string or number of the data.
  func isText(_ value: RenderValue) -> Bool { value.isNode && tape.kind(value.raw).isText }

  /// The text of a string or number. Valid as long as the tape.
  func text(of node: UInt32) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: tape.start(node), count: tape.count(node))
  }
}
