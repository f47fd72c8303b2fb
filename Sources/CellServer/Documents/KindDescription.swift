package import Cells
package import CellTemplates

/// Writes the JSON that `GET /kinds` returns.
package enum KindDescription {
  /// Decides whether to continue. It is called often and may take the bytes written so far out of the output.
  package typealias Pause = (inout ByteBuffer) -> Bool

  /// Writes `{"kinds":[…],"stylesheet":"…"}`: every kind, sorted by name, and the address of the style sheet of all
  /// nibs.
  package static func appendAll(
    of archive: CellArchive, to output: inout ByteBuffer, _ goesOn: Pause = { _ in true }
  ) {
    output.append("{\"kinds\":[")
    for number in 0..<UInt32(archive.kindCount) {
      if number > 0 { output.append(byte: UInt8(ascii: ",")) }
      append(number, of: archive, to: &output, goesOn)
      if !goesOn(&output) { return }
    }
    output.append("],\"stylesheet\":")
    JSONText.append(string: "/styles.css?v=\(archive.styleVersions.all)", to: &output)
    output.append("}")
  }

  /// Writes one kind: its name, nib and classes, whether it is text, and its version. Then, each in template
  /// order, its outlets, tags, Mustache names and their positions, formats, actions, and the partials it calls by
  /// name. Last, the locales that it is offered in, the styles of its nib, and the address of their style sheet.
  package static func append(
    _ number: UInt32, of archive: CellArchive, to output: inout ByteBuffer, _ goesOn: Pause = { _ in true }
  ) {
    let entry = archive.entry(ofKind: number)
    let parts = Parts(archive.parts(of: entry))
    output.append("{\"kind\":")
    JSONText.append(stringOf: archive.bytes(entry.name), to: &output)
    let nib = entry.nib == noIndex ? nil : archive.tables.$nibs[Int(entry.nib)]
    if let nib {
      output.append(",\"nib\":")
      JSONText.append(stringOf: archive.bytes(nib.name), to: &output)
    }
    output.append(",\"text\":")
    output.append(entry.isText == 1 ? "true" : "false")
    output.append(",\"version\":")
    JSONText.append(string: entry.version.hex, to: &output)
    append("classes", archive.texts(from: entry.classStart, count: entry.classCount), to: &output)
    append(List("outlets", of: [.outlet], outlet), parts, archive, &output, goesOn)
    append(List("tags", of: [.taggedOutlet], outlet), parts, archive, &output, goesOn)
    append("names", archive.texts(from: entry.nameStart, count: entry.nameCount), to: &output)
    let positions = List(
      "places", of: [.variable, .section, .inverted, .plural, .dynamic, .condition, .bind, .bound], position)
    append(positions, parts, archive, &output, goesOn)
    let formats = List(
      "formats", of: [.outlet, .taggedOutlet, .variable, .bind, .bound], format
    ) { $0.format != noIndex }
    append(formats, parts, archive, &output, goesOn)
    append(List("actions", of: [.action], action), parts, archive, &output, goesOn)
    append("partials", archive.texts(from: entry.partialStart, count: entry.partialCount), to: &output)
    append("locales", archive.localeTags(of: number), to: &output)
    append("styles", nib.map { archive.texts(from: $0.styleStart, count: $0.styleCount) } ?? [], to: &output)
    if nib != nil, let version = archive.styleVersions.version(ofNib: Int(entry.nib)) {
      output.append(",\"stylesheet\":")
      let path = StyleList.path(ofNib: Int(entry.nib), in: archive)
      JSONText.append(string: "\(path)?v=\(version)", to: &output)
    }
    output.append(byte: UInt8(ascii: "}"))
  }

  // MARK: Parts

  /// The parts of a kind, in template order.
  private struct Parts {
    let all: [PartEntry]
    /// The names of the attributes that the value of each part may set.
    let attributes: [UInt32: [LiteralRef]]

    init(_ parts: [PartEntry]) {
      all = parts
      var attributes: [UInt32: [LiteralRef]] = [:]
      for part in parts where part.knownRole == .bind {
        attributes[part.parent, default: []].append(part.element)
      }
      self.attributes = attributes
    }
  }

  private typealias Writer = (Int, Parts, CellArchive, inout ByteBuffer) -> Void

  /// A member with a list of parts.
  private struct List {
    let member: String
    let roles: Set<PartEntry.Role>
    /// Whether a part with one of the roles is listed.
    let contains: (PartEntry) -> Bool
    let write: Writer

    init(
      _ member: String, of roles: Set<PartEntry.Role>, _ write: @escaping Writer,
      where contains: @escaping (PartEntry) -> Bool = { _ in true }
    ) {
      (self.member, self.roles, self.write, self.contains) = (member, roles, write, contains)
    }
  }

  private static func append(
    _ list: List, _ parts: Parts, _ archive: CellArchive, _ output: inout ByteBuffer, _ goesOn: Pause
  ) {
    begin(list.member, &output)
    output.append(byte: UInt8(ascii: "["))
    var isFirst = true
    for (position, part) in parts.all.enumerated()
    where list.roles.contains(part.knownRole) && list.contains(part) {
      if !isFirst { output.append(byte: UInt8(ascii: ",")) }
      isFirst = false
      output.append(byte: UInt8(ascii: "{"))
      list.write(position, parts, archive, &output)
      output.append(byte: UInt8(ascii: "}"))
      if !goesOn(&output) { return }
    }
    output.append(byte: UInt8(ascii: "]"))
  }

  /// Writes `"name":"title","element":"h2","placeholder":"Headline","line":3,"column":5`; for a tag, its
  /// number. `within` lists the surrounding outlets and sections, outermost first; `attributes`, the
  /// attributes that the value may set.
  private static func outlet(
    _ position: Int, _ parts: Parts, _ archive: CellArchive, _ output: inout ByteBuffer
  ) {
    let part = parts.all[position]
    if part.knownRole == .taggedOutlet {
      // A tag's name is its number.
      output.append("\"tag\":")
      output.append(archive.bytes(part.name))
    } else {
      output.append("\"name\":")
      JSONText.append(stringOf: archive.bytes(part.name), to: &output)
    }
    output.append(",\"element\":")
    JSONText.append(stringOf: archive.bytes(part.element), to: &output)
    if part.hasPlaceholder == 1 {
      output.append(",\"placeholder\":")
      JSONText.append(stringOf: archive.bytes(part.placeholder), to: &output)
    }
    appendSurroundings(of: part, parts, archive, &output)
    if let attributes = parts.attributes[UInt32(position)] {
      append("attributes", attributes.map { archive.text($0) }, to: &output)
    }
    appendPosition(part, &output)
  }

  /// Writes `"name":"title","use":"value","in":"text","line":3,"column":5`. `in` is the context of a value.
  private static func position(
    _ position: Int, _ parts: Parts, _ archive: CellArchive, _ output: inout ByteBuffer
  ) {
    let part = parts.all[position]
    output.append("\"name\":")
    JSONText.append(stringOf: archive.bytes(part.name), to: &output)
    output.append(",\"use\":")
    JSONText.append(string: use(part.knownRole), to: &output)
    if [.variable, .bind, .bound].contains(part.knownRole) {
      output.append(",\"in\":")
      JSONText.append(string: (Escaper(rawValue: part.escaper) ?? .none).context.rawValue, to: &output)
    }
    if part.element.count > 0 {
      output.append(",\"attribute\":")
      JSONText.append(stringOf: archive.bytes(part.element), to: &output)
    }
    appendSurroundings(of: part, parts, archive, &output)
    appendPosition(part, &output)
  }

  /// Writes `"name":"price","format":"currency EUR","line":3,"column":5`.
  private static func format(
    _ position: Int, _ parts: Parts, _ archive: CellArchive, _ output: inout ByteBuffer
  ) {
    let part = parts.all[position]
    output.append("\"name\":")
    JSONText.append(stringOf: archive.bytes(part.name), to: &output)
    output.append(",\"format\":")
    JSONText.append(stringOf: archive.bytes(archive.tables.$formats[Int(part.format)].text), to: &output)
    appendPosition(part, &output)
  }

  private static func action(
    _ position: Int, _ parts: Parts, _ archive: CellArchive, _ output: inout ByteBuffer
  ) {
    let part = parts.all[position]
    output.append("\"action\":")
    JSONText.append(stringOf: archive.bytes(part.name), to: &output)
    output.append(",\"element\":")
    JSONText.append(stringOf: archive.bytes(part.element), to: &output)
    appendPosition(part, &output)
  }

  private static func appendSurroundings(
    of part: PartEntry, _ parts: Parts, _ archive: CellArchive, _ output: inout ByteBuffer
  ) {
    var names: [String] = []
    var parent = part.parent
    while parent != noIndex {
      let part = parts.all[Int(parent)]
      switch part.knownRole {
      case .outlet, .taggedOutlet, .section, .inverted: names.append(archive.text(part.name))
      default: break
      }
      parent = part.parent
    }
    if !names.isEmpty { append("within", names.reversed(), to: &output) }
  }

  private static func appendPosition(_ part: PartEntry, _ output: inout ByteBuffer) {
    output.append(",\"line\":")
    output.append(decimal: Int(part.line))
    output.append(",\"column\":")
    output.append(decimal: Int(part.column))
  }

  private static func use(_ role: PartEntry.Role) -> String {
    switch role {
    case .section: "section"
    case .inverted: "inverted section"
    case .dynamic: "partial"
    case .condition: "condition"
    case .plural: "plural section"
    case .variable, .outlet, .taggedOutlet, .bind, .bound, .action, .partial, .parent, .block: "value"
    }
  }

  // MARK: Members

  private static func begin(_ member: String, _ output: inout ByteBuffer) {
    output.append(byte: UInt8(ascii: ","))
    JSONText.append(string: member, to: &output)
    output.append(byte: UInt8(ascii: ":"))
  }

  private static func append(_ member: String, _ texts: [String], to output: inout ByteBuffer) {
    begin(member, &output)
    output.append(byte: UInt8(ascii: "["))
    for (position, text) in texts.enumerated() {
      if position > 0 { output.append(byte: UInt8(ascii: ",")) }
      JSONText.append(string: text, to: &output)
    }
    output.append(byte: UInt8(ascii: "]"))
  }
}
