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
  @inline(never)
  mutating func currency(
    of format: UInt32, slot: UInt32, _ place: CurrencyPlace, _ stack: inout RenderStack
  ) -> RenderValue {
    guard let formats else { preconditionFailure("a kind with formats depends on its locale") }
    let path = formats.entry(format).pointee.currencyPath
    if path == noIndex { return .missing }
    // Does not pause: the value's look-up, which would be done again, has no place to continue from.
    let pause = memo.pause
    memo.pause = .never
    defer { memo.pause = pause }
    do throws(RenderFault) {
      switch place {
      case .outward: return try findPath(tables.paths + Int(path), slot: slot, in: &stack.contexts)
      case .inside: return try findOutletPath(tables.paths + Int(path), slot: slot, in: &stack.contexts)
      case .beside: return try findBound(path, slot: slot, isBeside: true, &stack)
      }
    } catch {
      return .missing
    }
  }

  /// Prints a value as its format shows it. What does not fit is printed as it is, and counted; or it makes the row bad,
  /// as the policy for missing names says. Cursor, output and stack are passed apart here and elsewhere, because a type that
  /// holds them would be copied for each value.
  @inline(never)
  mutating func print(
    _ value: RenderValue, as format: PlanRecorder.Format, through escaper: Escaper,
    _ missing: MissingPolicy.Own, at cursor: OutputCursor, _ output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) -> OutputCursor {
    guard let formats else { preconditionFailure("a kind with formats depends on its locale") }
    if value.isMissing || isNull(value) {
      return try print(value, through: escaper, at: cursor, &output, &stack.scratch)
    }
    switch formats.entry(format.number).pointee.knownKind {
    case .truncate:
      if let printed = try cut(value, format.number, through: escaper, at: cursor, &output, &stack.scratch) {
        return printed
      }
    case .list:
      if let printed = try printList(
        value, format.number, through: escaper, at: cursor, &output, &stack.scratch)
      {
        return printed
      }
    default:
      if let printed = try draw(value, as: format, through: escaper, at: cursor, &output) { return printed }
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
    _ value: RenderValue, planned format: PlanRecorder.Format, through escaper: Escaper,
    at cursor: OutputCursor, _ output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor? {
    guard let formats else { preconditionFailure("a kind with formats depends on its locale") }
    if format.isMachine { return try drawMachine(value, format.number, at: cursor, &output) }
    if formats.entry(format.number).pointee.knownKind == .truncate {
      return try cut(value, format.number, through: escaper, at: cursor, &output, &scratch)
    }
    return try draw(value, as: format, through: escaper, at: cursor, &output)
  }

  // MARK: Numbers and dates

  /// - Returns: nil if the value does not fit.
  private mutating func draw(
    _ value: RenderValue, as format: PlanRecorder.Format, through escaper: Escaper,
    at cursor: OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor? {
    guard let formats else { preconditionFailure("a kind with formats depends on its locale") }
    lookSoon(unlessReady: format.number, formats)
    let needsCurrency = formats.entry(format.number).pointee.currencyPath != noIndex
    if needsCurrency, !isText(format.currency) { return nil }
    let currency = needsCurrency ? text(of: format.currency.raw) : nil
    let drawn: UnsafeRawBufferPointer?
    if isText(value) {
      drawn = formats.draw(text(of: value.raw), as: format.number, currency: currency)
    } else if let number = value.loopNumber {
      drawn = Array(String(number).utf8).withUnsafeBufferPointer {
        formats.draw($0, as: format.number, currency: currency)
      }
    } else {
      drawn = nil
    }
    guard let drawn else { return nil }
    return try append(drawn, through: escaper, at: cursor, &output, notedAs: value, format)
  }

  /// Lets the clock be checked after a format was made ready, which takes as long as many steps.
  mutating func lookSoon(unlessReady format: UInt32, _ formats: RequestFormats) {
    if !formats.isReady(format) { lookStep = steps }
  }

  /// Whether a plan may draw what this format shows in C. The number of its entry may be that of a format that is cut.
  private func mayNote(_ format: inout PlanRecorder.Format) -> Bool {
    guard let formats else { return false }
    let entry = formats.entry(format.number)
    let formatter = formats.formatter(format.number)
    format.isDrawn = formatter != nil
    format.isPlain = formatter.map { cf_formatter_is_plain($0) } ?? false
    if entry.pointee.currencyPath == noIndex {
      format.currency = .missing
      return true
    }
    return isText(format.currency)
  }

  /// Appends what is drawn of a value, and records it.
  private mutating func append(
    _ text: UnsafeRawBufferPointer, through escaper: Escaper, at cursor: OutputCursor,
    _ output: inout ByteBuffer, notedAs value: RenderValue, _ format: PlanRecorder.Format
  ) throws(RenderFault) -> OutputCursor {
    output.setEnd(cursor.target)
    let (offset, turnsBefore) = (output.count, turns)
    try append(text, through: escaper, to: &output)
    // Drawing reads no more than it writes, and is no work beside it.
    turns = turnsBefore
    let end = self.cursor(of: &output)
    if planner.isRecording {
      var noted = format
      if isText(value), mayNote(&noted) {
        planner.note(value, escaper, noted, at: offset..<output.count, turns: 0)
      } else if value.isNode {
        noteForeign()
      }
    }
    return end
  }

  // MARK: Attributes for programs

  /// Prints the attribute that programs read of the outlet's value, if that fits.
  mutating func printMachine(
    _ step: UnsafePointer<Step>, at cursor: OutputCursor, _ output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) -> OutputCursor {
    let outlet = stack.outlets.top
    var value = outlet.value
    switch outlet.content {
    case .scalar: break
    case .object:
      let name = tables.outlets[Int(step.pointee.entry)].textName
      guard name != noIndex, let text = try member(name, slot: step.pointee.slot, of: value.raw) else {
        return cursor
      }
      value = RenderValue(node: text)
    case .missing, .blank, .empty, .designed, .data: return cursor
    }
    if !isText(value), value.loopNumber == nil { return cursor }
    if isOfNoCurrency(step.pointee.jump, &stack) { return cursor }
    return try drawMachine(value, step.pointee.jump, at: cursor, &output)
  }

  /// Whether a format names a currency that the data does not have.
  private mutating func isOfNoCurrency(_ format: UInt32, _ stack: inout RenderStack) -> Bool {
    guard let formats, formats.entry(format).pointee.currencyPath != noIndex else { return false }
    // Plans do not look at a currency for an attribute.
    noteForeign()
    let found = currency(of: format, slot: 0, .inside, &stack)
    guard isText(found) else { return true }
    let code = text(of: found.raw)
    return code.count != 3 || !code.allSatisfy { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }
  }

  private mutating func drawMachine(
    _ value: RenderValue, _ format: UInt32, at cursor: OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor {
    guard let formats else { preconditionFailure("a kind with formats depends on its locale") }
    let drawn: UnsafeRawBufferPointer?
    if let number = value.loopNumber {
      drawn = Array(String(number).utf8).withUnsafeBufferPointer { formats.drawMachine($0, as: format) }
    } else {
      drawn = formats.drawMachine(text(of: value.raw), as: format)
    }
    return try append(
      drawn ?? UnsafeRawBufferPointer(start: nil, count: 0), through: .none, at: cursor, &output,
      notedAs: value, PlanRecorder.Format(number: format, isMachine: true))
  }

  // MARK: Texts that are cut

  /// - Returns: nil if the value is no text.
  private mutating func cut(
    _ value: RenderValue, _ format: UInt32, through escaper: Escaper, at cursor: OutputCursor,
    _ output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor? {
    guard let formats else { preconditionFailure("a kind with formats depends on its locale") }
    if value.isText || value.loopNumber != nil {
      return try cutGiven(
        value, Int(formats.entry(format).pointee.characters), through: escaper, at: cursor, &output, &scratch)
    }
    guard isText(value) else { return nil }
    let text = text(of: value.raw)
    let kept = try keptBytes(of: text, most: Int(formats.entry(format).pointee.characters))
    lookAfter(reading: text.count)
    if kept == text.count {
      shownAs = PlanRecorder.Format(number: format, isDrawn: false)
      defer { shownAs = nil }
      return try print(value, through: escaper, at: cursor, &output, &scratch)
    }
    if kept > LongText.leastBytes {
      note(steps: kept)
      let long = LongValue(textOf: value.raw, through: escaper)
      long.keptBytes = kept
      begin(long)
      return cursor
    }
    output.setEnd(cursor.target)
    let (offset, turnsBefore) = (output.count, turns)
    try append(
      UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<kept]), through: escaper, to: &output)
    output.append(LongValue.ellipsis)
    let end = self.cursor(of: &output)
    if planner.isRecording {
      planner.note(
        value, escaper, PlanRecorder.Format(number: format, isDrawn: false), at: offset..<output.count,
        turns: turns - turnsBefore)
    }
    return end
  }

  /// Prints a value that is none of the data, which is short.
  private mutating func cutGiven(
    _ value: RenderValue, _ characters: Int, through escaper: Escaper, at cursor: OutputCursor,
    _ output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor {
    let text = value.loopNumber.map { Array(String($0).utf8) } ?? localeText(value)
    var kept = 0
    var reading = cf_truncation()
    let isRead = cf_truncate(&reading, text, text.count, characters, &kept)
    if !isRead || kept == text.count {
      return try print(value, through: escaper, at: cursor, &output, &scratch)
    }
    noteForeign()
    output.setEnd(cursor.target)
    scratch.truncate(to: 0)
    scratch.append(Array(text[..<kept]))
    try append(scratch.bytes, through: escaper, to: &output)
    output.append(LongValue.ellipsis)
    return self.cursor(of: &output)
  }

  /// How many bytes of a text are printed if it is cut.
  /// - Throws: `.paused`.
  private mutating func keptBytes(of text: UnsafeBufferPointer<UInt8>, most characters: Int)
    throws(RenderFault)
    -> Int
  {
    guard let start = text.baseAddress else { return 0 }
    var reading = cf_truncation()
    if case .cut(let paused)? = memo.lookups.pausedReading.take() { reading = paused }
    var kept = 0
    while !cf_truncate(&reading, start, text.count, characters, &kept) {
      if memo.pause.isOver() { throw pause(.cut(reading)) }
    }
    return kept
  }

  // MARK: What does not fit

  /// Counts a value that does not fit its format, or records it where that is an error.
  private mutating func noteMisfit(
    _ value: RenderValue, _ format: UInt32, _ missing: MissingPolicy.Own, _ stack: inout RenderStack
  ) {
    memo.misfits?.note(value, format)
    guard case .error = missing.policy(orOfRequest: limits.missing), value.isNode else {
      memo.missing.misfits &+= 1
      return
    }
    stack.missingCount += 1
    if stack.missing.count < RenderStack.missingLimit {
      stack.missing.append(
        MissingName(
          name: "", object: value.raw, isOfOwner: false,
          misfit: archive.text(archive.formats[Int(format)].text)))
    }
  }

  // MARK: Values

  /// Whether a value is a string or number of the data.
  func isText(_ value: RenderValue) -> Bool { value.isNode && tape.kind(value.raw).isText }

  private func isNull(_ value: RenderValue) -> Bool {
    if value.isNull { return true }
    guard value.isNode, case .null = tape.kind(value.raw) else { return false }
    return true
  }

  /// The text of a string or number. Valid as long as the tape.
  func text(of node: UInt32) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: tape.start(node), count: tape.count(node))
  }
}
