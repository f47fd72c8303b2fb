package import Cells
package import CellTemplates

/// What `GET /kinds` tells of a kind, as JSON.
package enum KindDescription {
  /// `{"kinds":[…]}`, each as `append` writes it, sorted by name.
  package static func appendAll(of archive: CellArchive, to output: inout ByteBuffer) {
    output.append("{\"kinds\":[")
    for number in 0..<archive.kinds.count {
      if number > 0 { output.append(byte: UInt8(ascii: ",")) }
      append(UInt32(number), of: archive, to: &output)
    }
    output.append("]}")
  }

  /// One kind: its name, whether it is text, its version, the Mustache names in its template in order of
  /// appearance, the partials it calls by name. What nibs will add is there and empty.
  package static func append(_ number: UInt32, of archive: CellArchive, to output: inout ByteBuffer) {
    let entry = archive.kinds[Int(number)]
    output.append("{\"kind\":")
    JSONText.append(stringOf: archive.bytes(entry.name), to: &output)
    output.append(",\"text\":")
    output.append(entry.isText == 1 ? "true" : "false")
    output.append(",\"version\":")
    JSONText.append(string: entry.version.hex, to: &output)
    append("names", archive.texts(from: entry.nameStart, count: entry.nameCount), to: &output)
    append("partials", archive.texts(from: entry.partialStart, count: entry.partialCount), to: &output)
    for member in ["classes", "outlets", "tags", "actions", "styles"] { append(member, [], to: &output) }
    output.append(byte: UInt8(ascii: "}"))
  }

  private static func append(_ member: String, _ texts: [String], to output: inout ByteBuffer) {
    output.append(byte: UInt8(ascii: ","))
    JSONText.append(string: member, to: &output)
    output.append(":[")
    for (place, text) in texts.enumerated() {
      if place > 0 { output.append(byte: UInt8(ascii: ",")) }
      JSONText.append(string: text, to: &output)
    }
    output.append(byte: UInt8(ascii: "]"))
  }
}
