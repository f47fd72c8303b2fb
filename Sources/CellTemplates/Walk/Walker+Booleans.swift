/// Attributes that are there or not, whatever their value.
extension Walker {
  /// Judges a complete boolean attribute whose value is not static. If it is one value and nothing else, it is there if
  /// that is truthy, and has no value. Everything else is refused: the attribute would be there whatever it prints.
  mutating func judgeBoolean(_ name: ExactString, on element: ExactString) {
    // One that starts in another list crosses a section, which was reported.
    guard attribute.list == list, attribute.start <= out.count else { return }
    let nodes = out[attribute.start...]
    let parts = nodes.filter { node in
      switch node {
      case .literal, .lineStart: false
      default: true
      }
    }
    // None if it was refused.
    if parts.isEmpty { return }
    if parts.count == 1, case .value(let path, _, _, let at) = parts[0], isAlone(nodes) {
      out.removeSubrange(attribute.start...)
      add(.truthy(path, attribute: name.text, at: at))
    } else {
      report(
        .mixedBoolean, at: attribute.at, "\(name) of <\(element)> is there whatever its value says",
        hint: "write one name and nothing else: with \(name)=\"{{x}}\" it is there if there is x")
    }
  }

  /// Whether there are only the quotes around an attribute's value.
  private func isAlone(_ nodes: ArraySlice<CellNode>) -> Bool {
    let text = nodes.flatMap { node -> [UInt8] in
      if case .literal(let bytes) = node { bytes } else { [] }
    }
    let quoted = text.drop { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
    return quoted.count == 2
  }
}
