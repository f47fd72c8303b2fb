import CellTemplates

/// Values in places other than element text and plain attributes.
extension Renderer {
  /// Appends a node through any escaper.
  @inline(never)
  func append(
    _ node: UInt32, inContext escaper: Escaper, to output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) {
    if escaper == .discard { return }
    let text: UnsafeRawBufferPointer
    switch tape.kind(node) {
    case .null:
      if escaper == .json { output.append("null") }
      return
    case .true, .false, .number: text = tape.bytes(node)
    case .string where escaper != .json: text = tape.bytes(node)
    case .string, .array, .object:
      scratch.truncate(to: 0)
      tape.appendJSON(node, to: &scratch)
      text = scratch.bytes
    case .key: preconditionFailure("a key is no value")
    }
    if output.count + text.count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
    if escaper == .json {
      output.appendScriptJSON(text)
    } else {
      output.append(text, through: escaper, allowing: schemes)
    }
  }

  /// Appends a value that the loop gives, or what stands for one that is missing.
  @inline(never)
  func append(
    given value: RenderValue, inContext escaper: Escaper, to output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) {
    scratch.truncate(to: 0)
    if value.isMissing {
      if escaper == .json { output.append("null") }
      return
    }
    if let number = value.loopNumber {
      scratch.append(decimal: Int(number))
    } else {
      scratch.append(value.isTrue ? "true" : "false")
    }
    if escaper == .json {
      output.append(scratch.bytes)
    } else {
      output.append(scratch.bytes, through: escaper, allowing: schemes)
    }
  }

  private var schemes: AllowedSchemes { AllowedSchemes(archive) }
}
