package import CellTemplates

/// Writes the JSON Schema (2020-12) of a kind's data.
///
/// The schema gives names, nesting and what may be a list: for each name a union of the values that its places accept. It
/// constrains a value's type only as far as the names looked up in it require. Any name may be missing, as in rendering; what `missing=error` requires is
/// described separately in `$defs/complete`. `ShapeCheck` applies the same rules.
///
/// Every level is a separate entry of `$defs`, so deep names do not nest the schema, and recursive cells
/// refer to themselves. Where a cell calls the kind itself, the row's level is an entry too: what rows must be holds at the
/// root alone.
package struct SchemaWriter {
  /// Decides whether to continue. It is called after each name and may take the bytes written so far out of the output.
  package typealias Pause = (inout ByteBuffer) -> Bool

  /// The limit of members and references in total. Beyond it, the schema is less specific and so allows more.
  static let entryLimit = 1 << 17

  private typealias Key = DataShape.LevelCheck

  private let shape: DataShape
  private let kind: UInt32
  private let hasExamples: Bool
  private var names: [Key: String] = [:]
  private var waiting: [Key] = []
  private var entries = 0

  /// Appends the schema. Equal archives give equal bytes.
  /// - Parameters:
  ///   - kind: the kind's number.
  ///   - hasExamples: whether the schema shows sample rows.
  package static func append(
    _ kind: UInt32, of archive: CellArchive, hasExamples: Bool = true, to output: inout ByteBuffer,
    _ goesOn: Pause = { _ in true }
  ) {
    var writer = SchemaWriter(shape: DataShape(of: kind, in: archive), kind: kind, hasExamples: hasExamples)
    writer.append(to: &output, goesOn)
  }

  private init(shape: DataShape, kind: UInt32, hasExamples: Bool) {
    self.shape = shape
    self.kind = kind
    self.hasExamples = hasExamples
  }

  private var root: Key {
    guard let level = shape.roots[kind] else { preconditionFailure("a shape has its kind's level") }
    return Key(level: level, isLenient: false)
  }

  private mutating func append(to output: inout ByteBuffer, _ goesOn: Pause) {
    let archive = shape.archive
    let name = archive.text(archive.entry(ofKind: kind).name)
    output.append("{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":")
    Self.append("/schemas/" + name, to: &output)
    output.append(",\"title\":")
    Self.append(name, to: &output)
    output.append(
      ",\"description\":\"A row of this kind. Any name may be missing; other names are ignored.\"")
    appendContent(of: root, isRow: true, to: &output, goesOn)
    output.append(",\"$defs\":{")
    appendComplete(to: &output, goesOn)
    if !shape.levels[shape.owner].isEmpty {
      output.append(",")
      Self.append("owner", to: &output)
      output.append(
        ":{\"description\":\"The owner of all rows: one object for the whole request, sent next to its rows.\""
      )
      appendContent(of: Key(level: shape.owner, isLenient: false), to: &output, goesOn)
      output.append("}")
    }
    var next = 0
    while next < waiting.count, goesOn(&output) {
      let key = waiting[next]
      next += 1
      output.append(",")
      Self.append(names[key]!, to: &output)
      output.append(":{\"$comment\":")
      Self.append(
        "from \(archive.text(archive.entry(ofKind: shape.levels[key.level].kind).name))", to: &output)
      appendContent(of: key, to: &output, goesOn)
      output.append("}")
    }
    output.append("}")
    appendRowRule(to: &output, goesOn)
    if hasExamples { Self.append(examplesOf: kind, in: archive, to: &output) }
    output.append("}\n")
  }

  /// Appends the sample rows of a kind, as far as they are known.
  static func append(examplesOf kind: UInt32, in archive: CellArchive, to output: inout ByteBuffer) {
    guard let rows = archive.examples[kind] else { return }
    output.append(",\"examples\":[")
    output.append(rows)
    output.append("]")
  }

  /// Appends what every row must be and have: `ShapeCheck` refuses the same.
  private func appendRowRule(to output: inout ByteBuffer, _ goesOn: Pause) {
    let uses = shape.archive.rowUses(of: kind)
    let required = shape.rowNames(.required, of: kind, limit: Self.entryLimit)
    if !required.isEmpty { output.append(",\"type\":\"object\"") }
    append(required: required, to: &output, goesOn)
    if required.isEmpty, !uses.takeScalar {
      output.append(uses.takeList ? ",\"type\":[\"object\",\"array\"]" : ",\"type\":\"object\"")
    }
    if uses.refuseItem { appendItemRule(to: &output) }
  }

  /// Appends that a value is no item, of which nothing would read the data.
  private func appendItemRule(to output: inout ByteBuffer) {
    output.append(",\"not\":{\"$comment\":\"an item of POST /cells\",\"type\":\"object\"")
    output.append(",\"required\":[\"data\"],\"propertyNames\":{\"enum\":[")
    for (index, name) in RowUses.itemNames.enumerated() {
      if index > 0 { output.append(",") }
      Self.append(RequestName.all[Int(name)], to: &output)
    }
    output.append("]}}")
  }

  /// Appends the names that a row needs with `missing=error`.
  private func appendComplete(to output: inout ByteBuffer, _ goesOn: Pause) {
    output.append("\"complete\":{\"description\":\"A row that missing=error accepts.\",\"$ref\":\"#\"")
    let required = shape.rowNames(.always, of: kind, limit: Self.entryLimit)
    if !required.isEmpty { output.append(",\"type\":\"object\"") }
    append(required: required, to: &output, goesOn)
    output.append("}")
  }

  private func append(required names: [[UInt8]], to output: inout ByteBuffer, _ goesOn: Pause) {
    if names.isEmpty { return }
    output.append(",\"required\":[")
    for (index, name) in names.enumerated() {
      if index > 0 { output.append(",") }
      Self.append(name, to: &output)
      if !goesOn(&output) { return }
    }
    output.append("]")
  }

  // MARK: Levels

  /// - Parameter isRow: whether `appendRowRule` says what is required.
  private mutating func appendContent(
    of key: Key, isRow: Bool = false, to output: inout ByteBuffer, _ goesOn: Pause
  ) {
    let level = shape.levels[key.level]
    output.append(",\"properties\":{")
    var isFirst = true
    for member in level.members {
      entries += 1
      if entries > Self.entryLimit { break }
      if !isFirst { output.append(",") }
      isFirst = false
      Self.append(member.name, to: &output)
      output.append(":")
      append(member, isLenient: key.isLenient, shape.rowRules(of: member, in: key), to: &output)
      if !goesOn(&output) { return }
    }
    output.append("}")
    if !isRow { append(required: shape.required(in: key), to: &output, goesOn) }
    appendReferences(of: key, to: &output, goesOn)
  }

  /// Appends what else the value must satisfy: the names of cells that see it as their row, and of `{{#.}}`.
  private mutating func appendReferences(of key: Key, to output: inout ByteBuffer, _ goesOn: Pause) {
    if entries > Self.entryLimit { return }
    let references = shape.references(of: key, kind: kind)
    if references.isEmpty { return }
    output.append(",\"allOf\":[")
    var isFirst = true
    for reference in references {
      entries += 1
      if entries > Self.entryLimit { break }
      if !isFirst { output.append(",") }
      isFirst = false
      output.append("{")
      appendReference(to: reference.target, &output)
      if reference.isRepeated {
        output.append(",\"items\":{")
        appendReference(to: reference.target, &output)
        output.append("}")
      }
      output.append("}")
      if !goesOn(&output) { return }
    }
    if isFirst { output.append("true") }
    output.append("]")
  }

  /// Appends a name's value: a union of what it may be, by the places of the name. The parts of the union have different
  /// types, so that a value can only break the one of its own.
  private mutating func append(
    _ member: DataShape.Member, isLenient: Bool, _ row: DataShape.Uses, to output: inout ByteBuffer
  ) {
    let inner = member.level.flatMap { shape.levels[$0].isEmpty ? nil : Key(level: $0, isLenient: isLenient) }
    let isNoScalar = !isLenient && shape.isNoScalar(member)
    let formats = shape.formats(of: member)
    let fit = isLenient || row.contains(.objectRow) ? nil : shape.fit(of: formats)
    output.append("{\"description\":")
    Self.append(Self.description(of: member.uses), to: &output)
    Self.append(formatted: shape.words(of: formats), to: &output)
    output.append(",\"anyOf\":[")
    if let fit {
      // A section prints nothing for an empty text.
      Self.append(
        whatFits: fit, beside: shape.isFormattedAlone(member) ? ["null"] : ["boolean", "null"],
        orEmpty: member.uses.contains(.section), to: &output)
      if shape.isFormattedAlone(member) {
        output.append("]}")
        return
      }
    } else {
      output.append("{\"type\":[")
      output.append(isNoScalar || row.contains(.objectRow) ? "" : "\"string\",\"number\",")
      output.append("\"boolean\",\"null\"]}")
    }
    output.append(",{\"type\":\"object\"")
    if let inner {
      output.append(",")
      appendReference(to: inner, &output)
    }
    if row.contains(.noItem) { appendItemRule(to: &output) }
    output.append("}")
    if !isNoScalar || shape.isIndexed(member) {
      appendList(of: member, inner, isLenient: isLenient, row, to: &output)
    }
    output.append("]}")
  }

  private mutating func appendList(
    of member: DataShape.Member, _ inner: Key?, isLenient: Bool, _ row: DataShape.Uses,
    to output: inout ByteBuffer
  ) {
    let fit = isLenient || row.contains(.objectRow) ? nil : shape.fit(of: shape.formats(ofItemsOf: member))
    output.append(",{\"type\":\"array\"")
    if let inner {
      // The list itself is the row of cells that are called with it, and what `{{#.}}` repeats.
      let level = shape.levels[inner.level]
      if !level.calls.isEmpty || !level.selves.isEmpty {
        output.append(",")
        appendReference(to: inner, &output)
      }
    }
    if member.mayRepeat, let fit {
      output.append(",\"items\":{\"anyOf\":[")
      Self.append(whatFits: fit, beside: ["boolean", "null"], to: &output)
      output.append(",{\"type\":[\"object\",\"array\"]")
      if let inner {
        output.append(",")
        appendReference(to: inner, &output)
      }
      output.append("}]}")
    } else if member.mayRepeat, let inner {
      output.append(",\"items\":{")
      appendReference(to: inner, &output)
      if row.contains(.objectRow) {
        output.append(",\"type\":[\"boolean\",\"null\",\"object\",\"array\"]")
      }
      if row.contains(.noItem) { appendItemRule(to: &output) }
      output.append("}")
    }
    output.append("}")
  }

  // MARK: References

  private mutating func appendReference(to key: Key, _ output: inout ByteBuffer) {
    let name = names[key] ?? newName(of: key)
    output.append("\"$ref\":")
    Self.append("#/$defs/" + name, to: &output)
  }

  /// A new name, of letters, digits and `_` alone, as generators of code want it. Its number makes it unique.
  private mutating func newName(of key: Key) -> String {
    let level = shape.levels[key.level]
    let isRow = shape.roots[level.kind] == key.level
    let own = isRow ? Array(shape.archive.name(ofKind: level.kind)) : level.name
    let plain = own.prefix(64).map { Self.isPlain($0) ? $0 : UInt8(ascii: "_") }
    let name =
      String(decoding: plain, as: UTF8.self) + (key.isLenient ? "_any" : "") + "_\(waiting.count + 1)"
    names[key] = name
    waiting.append(key)
    return name
  }

  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  static func append(_ text: String, to output: inout ByteBuffer) {
    append(Array(text.utf8), to: &output)
  }

  private static func append(_ text: [UInt8], to output: inout ByteBuffer) {
    text.withUnsafeBytes { JSONTape.appendJSONString($0, to: &output) }
  }
}
