package import CellTemplates

/// Writes the strict JSON Schema (2020-12) of a kind's rows: `RowTypes`, with other names refused.
package struct StrictSchemaWriter {
  private let types: RowTypes

  /// Appends the schema. Equal archives give equal bytes.
  /// - Parameters:
  ///   - kind: the kind's number.
  ///   - hasExamples: whether the schema shows sample rows.
  package static func append(
    _ kind: UInt32, of archive: CellArchive, hasExamples: Bool = true, to output: inout ByteBuffer,
    _ goesOn: SchemaWriter.Pause = { _ in true }
  ) {
    let name = archive.text(archive.entry(ofKind: kind).name)
    var names = TypeNames()
    let typeName = names.name(name)
    let types = RowTypeBuilder.types(of: kind, isNamed: typeName, in: archive, &names)
    StrictSchemaWriter(types: types).append(name, to: &output, goesOn)
    if hasExamples { SchemaWriter.append(examplesOf: kind, in: archive, to: &output) }
    output.append("}\n")
  }

  private func append(_ kind: String, to output: inout ByteBuffer, _ goesOn: SchemaWriter.Pause) {
    output.append("{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":")
    Self.append("/schemas/\(kind)?strict=true", to: &output)
    output.append(",\"title\":")
    Self.append(kind, to: &output)
    output.append(",\"description\":\"A row of this kind, of the types that its samples show.\",")
    append(types.row, (nil, nil), to: &output)
    output.append(",\"$defs\":{")
    for (position, object) in types.objects.enumerated() {
      if position > 0 { output.append(",") }
      Self.append(object.name, to: &output)
      output.append(":{")
      if position == types.owner {
        output.append(
          "\"description\":\"The owner of all rows: one object for the whole request, sent next to its rows.\","
        )
      }
      append(object, to: &output, goesOn)
      output.append("}")
      if !goesOn(&output) { return }
    }
    output.append("}")
  }

  private func append(_ object: RowTypes.Object, to output: inout ByteBuffer, _ goesOn: SchemaWriter.Pause) {
    output.append("\"type\":\"object\",\"properties\":{")
    for (position, member) in object.members.enumerated() {
      if position > 0 { output.append(",") }
      Self.append(member.name, to: &output)
      output.append(":{\"description\":")
      Self.append(SchemaWriter.description(of: member.uses), to: &output)
      SchemaWriter.append(formatted: member.formats, to: &output)
      if !member.value.isAny || member.fit != nil { output.append(",") }
      append(member.value, (member.fit, member.itemFit), to: &output)
      output.append("}")
      if !goesOn(&output) { return }
    }
    if object.mayHaveOwner {
      output.append(object.members.isEmpty ? "" : ",")
      output.append("\"owner\":{\"description\":\"Read in place of the request's owner.\"}")
    }
    output.append("}")
    let required = object.members.filter(\.isRequired)
    if !required.isEmpty {
      output.append(",\"required\":[")
      for (position, member) in required.enumerated() {
        if position > 0 { output.append(",") }
        Self.append(member.name, to: &output)
        if !goesOn(&output) { return }
      }
      output.append("]")
    }
    if !object.isOpen { output.append(",\"additionalProperties\":false") }
  }

  /// Appends what a value must be, as members of an object; nothing if it may be anything.
  private func append(
    _ value: RowTypes.Value, _ fits: (own: DataShape.Fit?, items: DataShape.Fit?), to output: inout ByteBuffer
  ) {
    if value.isAny {
      guard let fit = fits.own else { return }
      output.append("\"anyOf\":[")
      SchemaWriter.append(whatFits: fit, beside: ["boolean", "null", "object", "array"], to: &output)
      output.append("]")
      return
    }
    var parts: [(inout ByteBuffer) -> Void] = []
    if !value.scalars.isEmpty { parts.append { append(value.scalars, fits.own, to: &$0) } }
    if let object = value.object {
      parts.append { output in
        output.append("\"$ref\":")
        Self.append("#/$defs/" + types.objects[object].name, to: &output)
      }
    }
    if let list = value.list {
      parts.append { output in
        output.append("\"type\":\"array\",\"items\":{")
        append(types.lists[list], (fits.items, fits.items), to: &output)
        output.append("}")
      }
    }
    if parts.count == 1 { return parts[0](&output) }
    output.append("\"anyOf\":[")
    for (position, part) in parts.enumerated() {
      output.append(position > 0 ? ",{" : "{")
      part(&output)
      output.append("}")
    }
    output.append("]")
  }

  private func append(
    _ scalars: SampleTypeEntry.Types, _ fit: DataShape.Fit?, to output: inout ByteBuffer
  ) {
    let names: [(type: SampleTypeEntry.Types, name: String)] = [
      (.string, "string"), (.integer, "integer"), (.number, "number"), (.boolean, "boolean"), (.null, "null"),
    ]
    let found = names.filter { scalars.contains($0.type) }.map { "\"\($0.name)\"" }
    output.append("\"type\":")
    output.append(text: found.count == 1 ? found[0] : "[" + found.joined(separator: ",") + "]")
    // These rules are of strings alone.
    if !scalars.contains(.string) { return }
    switch fit {
    case .number:
      output.append(",\"pattern\":")
      Self.append(SchemaWriter.numberPattern, to: &output)
    case .currency:
      output.append(",\"pattern\":")
      Self.append(SchemaWriter.currencyPattern, to: &output)
    case .date: output.append(",\"anyOf\":[{\"format\":\"date-time\"},{\"format\":\"date\"}]")
    case nil: break
    }
  }

  private static func append(_ text: String, to output: inout ByteBuffer) {
    append(Array(text.utf8), to: &output)
  }

  private static func append(_ text: [UInt8], to output: inout ByteBuffer) {
    text.withUnsafeBytes { JSONTape.appendJSONString($0, to: &output) }
  }
}
