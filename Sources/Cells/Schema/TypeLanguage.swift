package import CellTemplates

/// A programming language in which the rows of kinds are declared.
package enum TypeLanguage: String, CaseIterable, Sendable {
  case typescript, swift, python

  /// The most types of a file. A kind has types of its own for what is inside the kinds that it calls.
  package static let typeLimit = 50_000

  /// Appends a file with the types of all kinds. Equal archives give equal bytes.
  /// - Returns: false if there would be more than `typeLimit` types.
  package func append(_ archive: CellArchive, to output: inout ByteBuffer) -> Bool {
    var names = TypeNames()
    let kinds = (0..<UInt32(archive.kindCount)).map { archive.text(archive.entry(ofKind: $0).name) }
    // The rows' types have the plain names.
    let typeNames = kinds.map { names.name($0) }
    var body = ByteBuffer()
    var count = 0
    for (number, kind) in kinds.enumerated() {
      let types = RowTypeBuilder.types(
        of: UInt32(number), isNamed: typeNames[number], in: archive, &names)
      count += types.objects.count
      if count > Self.typeLimit { return false }
      append(types, named: typeNames[number], of: kind, &names, to: &body)
    }
    output.append(text: opening(of: String(decoding: body.bytes, as: UTF8.self)))
    output.append(body.bytes)
    if self == .typescript { output.append(text: TypeScriptTypes.list(of: Array(zip(kinds, typeNames)))) }
    return true
  }

  private func append(
    _ types: RowTypes, named name: String, of kind: String, _ names: inout TypeNames,
    to output: inout ByteBuffer
  ) {
    let comment = "A row of the kind \(kind)."
    let isObject = types.row.object.map {
      types.row == RowTypes.Value(object: $0) && types.objects[$0].name == name
    }
    var types = types
    if isObject != true, let object = types.objects.firstIndex(where: { $0.name == name }) {
      // The row may be something else, too, and has the name.
      types.objects[object].name = names.name(name, "object")
    }
    var swift = SwiftTypes(types, names)
    if isObject != true {
      switch self {
      case .typescript: output.append(text: TypeScriptTypes(types: types).alias(name, comment))
      case .swift: output.append(text: swift.alias(name, comment))
      case .python: output.append(text: PythonTypes(types: types).alias(name, comment))
      }
    }
    for (position, object) in types.objects.enumerated() {
      let comment =
        if position == types.owner {
          "The owner of all rows of the kind \(kind): one object for a whole request."
        } else if position == types.row.object {
          comment
        } else {
          "In rows of the kind \(kind)."
        }
      switch self {
      case .typescript: output.append(text: TypeScriptTypes(types: types).declaration(of: object, comment))
      case .swift: output.append(text: swift.declaration(of: object, at: position, comment))
      case .python: output.append(text: PythonTypes(types: types).declaration(of: object, comment))
      }
    }
    names = swift.names
  }

  private func opening(of body: String) -> String {
    let note = "Rows of cells, made by cellfactory types --language \(rawValue)."
    return switch self {
    case .typescript: "// \(note)\n"
    case .swift: "// \(note)\n" + SwiftTypes.opening
    case .python: "\"\"\"\(note)\"\"\"\n" + PythonTypes.opening(of: body)
    }
  }
}

extension RowTypes.Member {
  var text: String { String(decoding: name, as: UTF8.self) }

  /// What the template does with it, as a sentence.
  var comment: String {
    if uses.isEmpty { return "The template does not read it." }
    let words = SchemaWriter.description(of: uses)
    return words.prefix(1).uppercased() + words.dropFirst() + "."
  }

  /// Whether its name is one of letters, digits and `_`, and begins with no digit.
  var isIdentifier: Bool {
    guard let first = name.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return false
    }
    return name.allSatisfy { SchemaWriter.isPlain($0) }
  }

  /// Its name between quotes, escaped as in JSON, and so that no language ends a line in it.
  var quoted: String {
    var output = ByteBuffer()
    name.withUnsafeBytes { JSONTape.appendJSONString($0, to: &output) }
    var quoted = ""
    for scalar in String(decoding: output.bytes, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\u{2028}", "\u{2029}": quoted += "\\u\(String(scalar.value, radix: 16))"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted
  }
}
