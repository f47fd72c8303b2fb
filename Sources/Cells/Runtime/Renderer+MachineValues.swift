import CFormats
import CellTemplates

/// Attributes that programs read of formatted values.
extension Renderer {
  /// Prints the attribute that programs read of the outlet's value, if that fits.
  mutating func printMachine(
    _ step: UnsafePointer<Step>, at cursor: OutputCursor, _ output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) -> OutputCursor {
    let outlet = stack.outlets.top
    let found = lookups.foundValue.take()
    var value = found ?? outlet.value
    switch outlet.content {
    case .scalar: break
    case .object where found != nil: break
    case .object:
      let name = tables.outlets[Int(step.pointee.entry)].textName
      guard name != noIndex, let text = try member(name, slot: step.pointee.slot, of: value.raw) else {
        return cursor
      }
      value = RenderValue(node: text)
    case .missing, .blank, .empty, .designed, .data: return cursor
    }
    if !isText(value), value.loopNumber == nil { return cursor }
    guard let formats else { preconditionFailure("a kind with formats depends on its locale") }
    let (format, shown) = (step.pointee.jump, tables.outlets[Int(step.pointee.entry)].format)
    if shown == noIndex { return try printMachine(value, format, at: cursor, &output) }
    // As the value is shown in the locale in force.
    let (machine, entry) = (formats.entry(format).pointee, formats.entry(shown).pointee)
    if entry.knownKind.takes != machine.knownKind.takes { return cursor }
    if try isOfNoCurrency(shown, value, &stack) { return cursor }
    let marks = entry.knownKind.machineMarks(FormatEntry.Marks(rawValue: entry.marks)).rawValue
    if marks == machine.marks { return try printMachine(value, format, at: cursor, &output) }
    // Plans print by the archive's formats.
    noteForeign()
    var own = machine
    own.marks = marks
    return try printMachine(value, format, cf_format(own), at: cursor, &output)
  }

  /// Whether a format names a currency that the data does not have.
  private mutating func isOfNoCurrency(
    _ format: UInt32, _ value: RenderValue, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    guard let formats, formats.entry(format).pointee.currencyPath != noIndex else { return false }
    // Plans do not look at a currency for an attribute.
    noteForeign()
    let found = try currency(of: format, for: value, slot: 0, .inside, &stack)
    guard isText(found) else { return true }
    let code = text(of: found.raw)
    return code.count != 3 || !code.allSatisfy { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }
  }

  /// - Parameter own: what replaces the format.
  mutating func printMachine(
    _ value: RenderValue, _ format: UInt32, _ own: cf_format? = nil, at cursor: OutputCursor,
    _ output: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor {
    guard let formats else { preconditionFailure("a kind with formats depends on its locale") }
    let printed: UnsafeRawBufferPointer?
    if let number = value.loopNumber {
      printed = Array(String(number).utf8).withUnsafeBufferPointer {
        formats.printMachine($0, as: format, own)
      }
    } else {
      printed = formats.printMachine(text(of: value.raw), as: format, own)
    }
    return try append(
      printed ?? UnsafeRawBufferPointer(start: nil, count: 0), through: .none, at: cursor, &output,
      notedAs: value, PlanRecorder.ShownAs(number: format, isMachine: true))
  }
}
