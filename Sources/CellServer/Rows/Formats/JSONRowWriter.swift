import Cells
import CellTemplates

/// Writes rows as the objects of JSON and NDJSON answers.
enum JSONRowWriter: RowWriter {
  /// `{"index":0,"kind":"news","id":"42"`
  static func begin(
    _ index: Int, kind: UnsafeRawBufferPointer?, id: JSONTape.Index?, on tape: JSONTape,
    to output: inout ByteBuffer
  ) {
    output.append("{\"index\":")
    output.append(decimal: index)
    if let kind {
      output.append(",\"kind\":")
      JSONText.append(stringOf: kind, to: &output)
    }
    if let id {
      output.append(",\"id\":")
      tape.appendJSON(id, to: &output)
    }
  }

  /// Omits class and nib if there is none.
  static func append(
    describing number: UInt32, _ fields: RowFields, of archive: CellArchive, to output: inout ByteBuffer
  ) {
    let kind = archive.entry(ofKind: number)
    if fields.contains(.class), let name = archive.firstClass(of: kind) {
      output.append(",\"class\":")
      JSONText.append(stringOf: name, to: &output)
    }
    if fields.contains(.nib), let name = archive.nibName(of: kind) {
      output.append(",\"nib\":")
      JSONText.append(stringOf: name, to: &output)
    }
    guard fields.contains(.actions) else { return }
    output.append(",\"actions\":[")
    for (index, name) in archive.actions(of: number).enumerated() {
      if index > 0 { output.append(byte: UInt8(ascii: ",")) }
      JSONText.append(stringOf: archive.bytes(name), to: &output)
    }
    output.append(byte: UInt8(ascii: "]"))
  }

  static func append(etag: ContentHash, to output: inout ByteBuffer) {
    output.append(",\"etag\":\"")
    append(hex: etag, to: &output)
    output.append(byte: UInt8(ascii: "\""))
  }

  static func appendUnchanged(to output: inout ByteBuffer) {
    output.append(",\"unchanged\":true")
  }

  private static func append(hex hash: ContentHash, to output: inout ByteBuffer) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digits in
      hash.writeHex { digits[$0] = $1 }
      output.append(UnsafeRawBufferPointer(digits))
    }
  }

  static func beginContent(isText: Bool, to output: inout ByteBuffer) {
    output.append(isText ? ",\"text\":\"" : ",\"html\":\"")
  }

  static func append(content: UnsafeRawBufferPointer, to output: inout ByteBuffer) {
    JSONTape.appendJSONContent(content, to: &output)
  }

  static func endContent(to output: inout ByteBuffer) {
    output.append(byte: UInt8(ascii: "\""))
  }

  static func beginOutlets(to output: inout ByteBuffer) {
    output.append(",\"outlets\":")
  }

  static func append(outlets: UnsafeRawBufferPointer, to output: inout ByteBuffer) {
    output.append(outlets)
  }

  static func append(problem: Problem, to output: inout ByteBuffer) {
    output.append(",\"error\":")
    problem.append(to: &output)
  }

  static func end(to output: inout ByteBuffer) {
    output.append(byte: UInt8(ascii: "}"))
  }
}
