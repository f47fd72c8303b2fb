import CellTemplates

/// Values that are no text in element text or a plain attribute: out of the renderer's loop.
extension Renderer {
  /// Appends what a `value` found.
  @inline(never)
  mutating func append(
    _ value: RenderValue, _ step: UnsafePointer<Step>, to output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) {
    let escaper = step.pointee.escaper
    guard value.isNode else {
      if value.isMissing, limits.missing == .error, !escaper.isDiscarding {
        noteMissing(archive.paths.base[Int(step.pointee.entry)], &stack)
      }
      append(given: value, inContext: escaper, to: &output, &stack.scratch)
      return
    }
    try append(value.raw, inContext: escaper, to: &output, &stack.scratch)
  }

  mutating func noteMissing(_ path: PathEntry, _ stack: inout RenderStack) {
    stack.missingCount += 1
    if stack.missing.count < RenderStack.missingLimit {
      stack.missing.append(MissingName(name: archive.text(path.text), object: innermostObject(&stack.frames)))
    }
  }

  /// Appends a node through any escaper.
  @inline(never)
  mutating func append(
    _ node: UInt32, inContext escaper: Escaper, to output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) {
    let text: UnsafeRawBufferPointer
    switch tape.kind(node) {
    case .null: return Self.appendNothing(escaper, to: &output)
    case .true, .false, .number: text = tape.bytes(node)
    case .string where !escaper.takesJSON: text = tape.bytes(node)
    case .string, .array, .object:
      scratch.truncate(to: 0)
      tape.appendJSON(node, to: &scratch)
      text = scratch.bytes
    case .key: preconditionFailure("a key is no value")
    }
    if output.count + text.count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
    append(text, escaper, to: &output)
  }

  /// Appends a value that the loop gives, or what stands for one that is missing.
  @inline(never)
  mutating func append(
    given value: RenderValue, inContext escaper: Escaper, to output: inout ByteBuffer,
    _ scratch: inout ByteBuffer
  ) {
    if value.isMissing { return Self.appendNothing(escaper, to: &output) }
    scratch.truncate(to: 0)
    if let number = value.loopNumber {
      scratch.append(decimal: Int(number))
    } else {
      scratch.append(value.isTrue ? "true" : "false")
    }
    append(scratch.bytes, escaper, to: &output)
  }

  /// Appends what stands where there is no value.
  private static func appendNothing(_ escaper: Escaper, to output: inout ByteBuffer) {
    switch escaper {
    case .json: output.append("null")
    case .urlSegment: output.append(byte: UInt8(ascii: "."))
    default: return
    }
  }

  /// - Parameter text: JSON for `json`; for the others the value as text.
  private mutating func append(_ text: UnsafeRawBufferPointer, _ escaper: Escaper, to output: inout ByteBuffer) {
    switch escaper {
    case .json: output.appendScriptJSON(text)
    default: output.append(text, through: escaper, in: archive)
    }
  }
}
