import CellTemplates

/// What schemas say of formatted values and of the uses of a name.
extension SchemaWriter {
  /// A number of JSON as a string.
  static let numberPattern = #"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"#
  static let currencyPattern = "^[A-Z]{3}$"

  /// Appends the words of formats, as a member after others.
  static func append(formatted words: [String], to output: inout ByteBuffer) {
    if words.isEmpty { return }
    output.append(",\"x-cellfactory-format\":")
    if words.count == 1 {
      append(words[0], to: &output)
      return
    }
    for (position, text) in words.enumerated() {
      output.append(position > 0 ? "," : "[")
      append(text, to: &output)
    }
    output.append("]")
  }

  /// Appends parts of a union: some types, and the scalars that fit.
  /// - Parameter takesEmpty: whether the empty text is taken, too.
  static func append(
    whatFits fit: DataShape.Fit, beside types: [String], orEmpty takesEmpty: Bool = false,
    to output: inout ByteBuffer
  ) {
    let orEmpty = takesEmpty ? "^$|" : ""
    output.append("{\"type\":[")
    output.append(text: types.map { "\"\($0)\"" }.joined(separator: ","))
    output.append("]},")
    switch fit {
    case .number:
      output.append("{\"type\":\"number\"},{\"type\":\"string\",\"pattern\":")
      append(orEmpty + numberPattern, to: &output)
    case .date:
      output.append(
        "{\"type\":[\"string\"],\"anyOf\":[{\"format\":\"date-time\"},{\"format\":\"date\"}")
      output.append(text: takesEmpty ? ",{\"const\":\"\"}]" : "]")
    case .currency:
      output.append("{\"type\":\"string\",\"pattern\":")
      append(orEmpty + currencyPattern, to: &output)
    }
    output.append("}")
  }

  static func description(of uses: DataShape.Uses) -> String {
    var words: [String] = []
    if uses.contains(.outlet) { words.append("fills an element, once for each item of a list") }
    if uses.contains(.section) { words.append("a section, once for each item of a list") }
    if uses.contains(.inverted) { words.append("a choice") }
    if uses.contains(.condition) { words.append("a condition") }
    if uses.contains(.value) { words.append("printed") }
    if uses.contains(.ownKey) { words.append("part of its element") }
    return words.isEmpty ? "holds names" : words.joined(separator: "; ")
  }
}
