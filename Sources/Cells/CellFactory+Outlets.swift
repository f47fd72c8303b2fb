import CellTemplates

extension CellFactory {
  /// Appends the values of a kind's top-level outlets (those not inside another outlet) as a JSON object.
  /// Each name appears once, as written, with its value as sent.
  ///
  /// Inside a section, a name is looked up where the template looks it up. An outlet that is rendered once
  /// for each item of a list gets the list of its values. If several outlets have the same name, one filled
  /// by the row itself comes first, then template order decides. Names missing from the row, and outlets that
  /// are not rendered, are omitted.
  /// - Parameter limits: longer output is left unfinished; the buffer is then longer than the limit.
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

  /// The indexes of a kind's top-level outlets, grouped by name in template order. In each group, outlets
  /// filled by the row itself come first.
  private func topLevelOutlets(of parts: [PartEntry]) -> [[Int]] {
    var names: [UInt32: Int] = [:]
    var outlets: [[Int]] = []
    // A part comes after the part that contains it.
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

  /// The sections around an outlet, outermost first.
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
