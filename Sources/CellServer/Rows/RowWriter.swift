import Cells
import CellTemplates

/// Writes the row objects of JSON and NDJSON answers.
enum RowWriter {
  /// Writes the beginning of a row object: `{"index":0,"kind":"news","id":"42"`.
  static func begin(
    _ place: Int, kind: UnsafeRawBufferPointer?, id: JSONTape.Index?, on tape: JSONTape,
    to output: inout ByteBuffer
  ) {
    output.append("{\"index\":")
    output.append(decimal: place)
    if let kind {
      output.append(",\"kind\":")
      JSONText.append(stringOf: kind, to: &output)
    }
    if let id {
      output.append(",\"id\":")
      tape.appendJSON(id, to: &output)
    }
  }

  /// Writes those of the requested fields that come from the archive: `class` (its own one), `nib` and
  /// `actions`. Omits class and nib if there is none.
  static func append(
    describing number: UInt32, _ fields: RowFields, of archive: CellArchive, to output: inout ByteBuffer
  ) {
    let kind = archive.kinds[Int(number)]
    if fields.contains(.class), kind.classCount > 0 {
      output.append(",\"class\":")
      JSONText.append(stringOf: archive.bytes(archive.texts[Int(kind.classStart)]), to: &output)
    }
    if fields.contains(.nib), kind.nib != noIndex {
      output.append(",\"nib\":")
      JSONText.append(stringOf: archive.bytes(archive.nibs[Int(kind.nib)].name), to: &output)
    }
    guard fields.contains(.actions) else { return }
    output.append(",\"actions\":[")
    for (place, name) in archive.actions(of: number).enumerated() {
      if place > 0 { output.append(byte: UInt8(ascii: ",")) }
      JSONText.append(stringOf: archive.bytes(name), to: &output)
    }
    output.append(byte: UInt8(ascii: "]"))
  }

  static func append(etag: ContentHash, to output: inout ByteBuffer) {
    output.append(",\"etag\":\"")
    append(hex: etag, to: &output)
    output.append(byte: UInt8(ascii: "\""))
  }

  private static func append(hex hash: ContentHash, to output: inout ByteBuffer) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digits in
      hash.writeHex { digits[$0] = $1 }
      output.append(UnsafeRawBufferPointer(digits))
    }
  }

  /// Appends the name of the content, and its opening quote.
  static func beginContent(isText: Bool, to output: inout ByteBuffer) {
    output.append(isText ? ",\"text\":\"" : ",\"html\":\"")
  }

  static func append(problem: Problem, to output: inout ByteBuffer) {
    output.append(",\"error\":")
    problem.append(to: &output)
  }
}
