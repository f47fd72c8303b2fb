import CellTemplates

extension CellFactory {
  /// Appends the values of a kind's top-level outlets as a JSON object: each name as written, with its value as sent.
  /// What the row does not have is left out.
  /// - Parameter limitBytes: of the buffer; what is above it is left unfinished, and the buffer is longer than that.
  package func appendOutlets(
    ofKind kind: UInt32, _ context: RowContext, on tape: JSONTape, limitBytes: Int,
    to output: inout ByteBuffer
  ) {
    output.append(byte: UInt8(ascii: "{"))
    var isFirst = true
    for outlet in topLevelOutlets(of: kind) {
      guard let value = find(outlet, context, on: tape) else { continue }
      if output.count > limitBytes { return }
      if !isFirst { output.append(byte: UInt8(ascii: ",")) }
      isFirst = false
      JSONTape.appendJSONString(archive.bytes(outlet.text), to: &output)
      output.append(byte: UInt8(ascii: ":"))
      tape.appendJSON(value, to: &output)
    }
    output.append(byte: UInt8(ascii: "}"))
  }

  /// The paths of a kind's top-level outlets, each once, in the order of the template.
  private func topLevelOutlets(of kind: UInt32) -> [PathEntry] {
    let entry = archive.kinds[Int(kind)]
    var seen: Set<UInt32> = []
    return (entry.partStart..<entry.partStart + entry.partCount).compactMap { number -> PathEntry? in
      let part = archive.parts[Int(number)]
      guard part.isTopLevel == 1 else { return nil }
      let path = archive.outlets[Int(part.entry)].path
      return seen.insert(path).inserted ? archive.paths[Int(path)] : nil
    }
  }

  private func find(_ path: PathEntry, _ context: RowContext, on tape: JSONTape) -> JSONTape.Index? {
    if path.root == PathEntry.Root.item.rawValue { return context.row }
    var value: JSONTape.Index?
    if path.name == ReservedName.owner {
      value = context.owner
    } else if tape.kind(context.row) == .object {
      value = scope.value(named: path.name, in: context.row, on: tape)
    }
    for place in path.segmentStart..<path.segmentStart + path.segmentCount {
      guard let node = value else { return nil }
      let name = archive.segments[Int(place)]
      switch tape.kind(node) {
      case .object: value = scope.value(named: name, in: node, on: tape)
      case .array:
        let index = archive.names[Int(name)].listIndex
        value = index == noIndex ? nil : tape.element(Int(index), of: node)
      default: value = nil
      }
    }
    return value
  }
}
