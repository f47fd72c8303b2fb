import CellTemplates

/// The main loop of rendering: runs the steps of programs.
extension Renderer {
  /// - Throws: a `RenderFault`, including `.paused`: then the output and the stack are the state to resume
  ///   with.
  mutating func run(
    from first: UnsafePointer<Step>, into output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) {
    let steps = steps
    var cursor = cursor(of: &output)
    var next = first
    while true {
      // Read in place, because copying a step costs more than most steps need.
      let step = next
      if step >= lookStep { try look(at: step, cursor, &output, &stack) }
      next += 1
      try append(step.pointee.literal, at: &cursor, &output)
      do throws(RenderFault) {
        switch step.pointee.code {
        case .literal:
          continue
        case .value:
          let value = try find(step, &stack.contexts)
          let escaper = step.pointee.escaper
          if isShortText(value), let escape = escapers[Int(escaper.index)] {
            try append(textOf: value.raw, through: escaper, escape, at: &cursor, &output)
          } else {
            if value.isMissing { noteMissing(step, &stack) }
            cursor = try print(value, through: escaper, at: cursor, &output, &stack.scratch)
            if long != nil { cursor = try finishLong(before: next, at: cursor, &output, &stack) }
          }
        case .format:
          let found = lookups.foundValue.take()
          let value = if let found { found } else { try find(step, &stack.contexts) }
          // Once, and before another name is looked up.
          if found == nil, value.isMissing { noteMissing(step, &stack) }
          let currency = try currency(
            of: step.pointee.jump, for: value, slot: step.pointee.slot, .outward, &stack)
          cursor = try print(
            value, as: PlanRecorder.ShownAs(number: step.pointee.jump, currency: currency),
            through: step.pointee.escaper, step.pointee.missing, at: cursor, &output, &stack)
          if long != nil { cursor = try finishLong(before: next, at: cursor, &output, &stack) }
        case .plural:
          if try !holdsPlural(step, &stack) { next = steps + Int(step.pointee.jump) }
        case .machine: cursor = try printMachine(step, at: cursor, &output, &stack)
        case .listWords: cursor = try printListWords(step, at: cursor, &output, &stack)
        case .section:
          let value = try find(step, &stack.contexts)
          if !stack.contexts.enterSection(value, on: tape) { next = steps + Int(step.pointee.jump) }
        case .sectionEnd:
          if stack.contexts.moveToNextItem(on: tape) {
            next = steps + Int(step.pointee.jump)
            moveLook(from: step, to: next)
            try spend()
          }
        case .inverted:
          if tape.isTruthy(try find(step, &stack.contexts)) { next = steps + Int(step.pointee.jump) }
        case .truthy:
          if try !tape.isTruthy(find(step, &stack.contexts)) { next = steps + Int(step.pointee.jump) }
        case .condition:
          if try !holds(step, &stack) { next = steps + Int(step.pointee.jump) }
        case .conditionBeside:
          if try !holdsBeside(step, &stack) { next = steps + Int(step.pointee.jump) }
        case .plainOutlet:
          let value = stack.blindness == 0 ? try findOutlet(step, &stack.contexts) : .missing
          if isShortText(value), let escape = escapers[Int(Escaper.html.index)] {
            // The start tag precedes the content's step, and the end tag precedes the outlet's end.
            let end = steps + Int(step.pointee.jump)
            try append(next.pointee.literal, at: &cursor, &output)
            try append(textOf: value.raw, through: .html, escape, at: &cursor, &output)
            try append(end[-1].literal, at: &cursor, &output)
            next = end
          } else if try !enterOutlet(step, value, &stack) {
            next = steps + Int(step.pointee.jump)
            if stack.waitsForItem {
              output.setEnd(cursor.target)
              throw pause(at: next, &stack)
            }
          }
        case .outlet:
          let value = stack.blindness == 0 ? try findOutlet(step, &stack.contexts) : .missing
          if try !enterOutlet(step, value, &stack) {
            next = steps + Int(step.pointee.jump)
            if stack.waitsForItem {
              output.setEnd(cursor.target)
              throw pause(at: next, &stack)
            }
          }
        case .bind:
          if let printed = try bind(step, at: cursor, &output, &stack) {
            cursor = printed
            next = steps + Int(step.pointee.jump)
            if long != nil { cursor = try finishLong(before: next, at: cursor, &output, &stack) }
          }
        case .presence:
          if try !isPresent(step, &stack) { next = steps + Int(step.pointee.jump) }
        case .blind:
          if stack.outlets.top.isBlind == (step.pointee.entry == 1) { next = steps + Int(step.pointee.jump) }
        case .listItem: try startItem(step, at: &cursor, &output, &stack)
        case .listBreak: stack.isItemOpen = false
        case .listEnd: try endList(at: &cursor, &output, &stack)
        case .bound, .boundBeside:
          cursor = try printBound(step, at: cursor, &output, &stack)
          if long != nil { cursor = try finishLong(before: next, at: cursor, &output, &stack) }
        case .outletContent:
          if let printed = try fillOutlet(step, at: cursor, &output, &stack) {
            cursor = printed
            next = steps + Int(step.pointee.jump)
            if long != nil { cursor = try finishLong(before: next, at: cursor, &output, &stack) }
          }
        case .outletEnd:
          if try leaveOutlet(step, &stack) {
            next = steps + Int(step.pointee.jump)
            moveLook(from: step, to: next)
          }
          if stack.waitsForItem {
            output.setEnd(cursor.target)
            throw pause(at: next, &stack)
          }
        case .call:
          next = steps + (try call(step, returnTo: next - steps, &stack))
          moveLook(from: step, to: next)
        case .include:
          next = steps + (try include(step, returnTo: next - steps, &stack))
          moveLook(from: step, to: next)
        case .parent:
          next = steps + (try callParent(step, &stack))
          moveLook(from: step, to: next)
        case .block:
          output.setEnd(cursor.target)
          next = steps + (try expand(step, default: next - steps, &output, &stack))
          moveLook(from: step, to: next)
          cursor = self.cursor(of: &output)
        case .lineStart:
          if indentCount == 0 && !skipsLineStart { continue }
          output.setEnd(cursor.target)
          try startLine(isBlank: step.pointee.entry == 1, in: &output, &stack)
          cursor = self.cursor(of: &output)
        case .end, .bodyEnd:
          if stack.calls.count == 0 {
            output.setEnd(cursor.target)
            moveLook(from: step, to: program)
            if stack.missingCount > 0 { throw .missing(stack.missing, count: stack.missingCount) }
            return
          }
          next = steps + resume(stack.calls.pop(), &stack)
          moveLook(from: step, to: next)
        }
      } catch {
        throw pauseIfUnfinished(error, at: step, cursor, &output, &stack)
      }
    }
  }

  /// Whether the value is a string or number that is printed at once.
  @inline(__always)
  private func isShortText(_ value: RenderValue) -> Bool {
    value.isNode && tape.kind(value.raw).isText && tape.count(value.raw) <= LongText.leastBytes
  }
}
