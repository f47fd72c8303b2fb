import CellTemplates

extension CellFactory {
  /// Appends the values of a kind's top-level outlets, those that stand in no other outlet, as a JSON object:
  /// each name as written, once, with its value as sent.
  ///
  /// In a section a name is looked up where the template looks it up; drawn once for each item of a list, an
  /// outlet has the list of its values. Of outlets of the same name, one that the row itself fills goes
  /// first, then the order of the template. What the row does not have, and what is not drawn, is left out.
  /// - Parameter limits: what is longer than their output is left unfinished, and the buffer is longer than
  ///   that.
  package func appendOutlets(
    ofKind kind: UInt32, _ context: RowContext, on tape: JSONTape, limits: RenderLimits,
    to output: inout ByteBuffer
  ) throws(RenderFault) {
    var values = OutletValues(archive, context, on: tape, scope, limits)
    let parts = archive.parts(of: archive.kinds[Int(kind)])
    output.append(byte: UInt8(ascii: "{"))
    var isFirst = true
    for places in topLevelOutlets(of: parts) {
      for place in places {
        var count = 0
        var isList = false
        let outlet = archive.outlets[Int(parts[place].entry)]
        try values.forEach(of: outlet, in: Self.sections(around: place, in: parts)[...]) {
          (value, isRepeated) throws(RenderFault) in
          if output.count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
          if count > 0 || !isFirst { output.append(byte: UInt8(ascii: ",")) }
          if count == 0 {
            JSONTape.appendJSONString(archive.bytes(parts[place].name), to: &output)
            output.append(isRepeated ? ":[" : ":")
          }
          tape.appendJSON(value, to: &output)
          (count, isList, isFirst) = (count + 1, isRepeated, false)
        }
        if isList { output.append(byte: UInt8(ascii: "]")) }
        if count > 0 { break }
      }
    }
    output.append(byte: UInt8(ascii: "}"))
  }

  /// The places of a kind's outlets that stand in no other one: for each name, in the order of the template,
  /// those that have it, the row's own first.
  private func topLevelOutlets(of parts: [PartEntry]) -> [[Int]] {
    var names: [UInt32: Int] = [:]
    var outlets: [[Int]] = []
    // A part stands behind the one that it stands in.
    var isInOutlet: [Bool] = []
    for (place, part) in parts.enumerated() {
      let isOutlet = part.knownRole == .outlet || part.knownRole == .tag
      let isNested = part.parent != noIndex && isInOutlet[Int(part.parent)]
      isInOutlet.append(isOutlet || isNested)
      guard isOutlet, !isNested else { continue }
      let path = archive.outlets[Int(part.entry)].path
      if let number = names[path] {
        outlets[number].append(place)
      } else {
        names[path] = outlets.count
        outlets.append([place])
      }
    }
    return outlets.map { places in
      places.filter { parts[$0].isTopLevel == 1 } + places.filter { parts[$0].isTopLevel == 0 }
    }
  }

  /// The sections that an outlet stands in, outermost first.
  private static func sections(around place: Int, in parts: [PartEntry]) -> [PartEntry] {
    var sections: [PartEntry] = []
    var parent = parts[place].parent
    while parent != noIndex {
      let part = parts[Int(parent)]
      if part.knownRole == .section || part.knownRole == .inverted { sections.append(part) }
      parent = part.parent
    }
    return sections.reversed()
  }
}
