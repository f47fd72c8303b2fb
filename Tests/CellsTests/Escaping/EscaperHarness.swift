@testable import CellTemplates

@testable import Cells

/// Runs escapers by themselves, and as steps of a cell.
enum EscaperHarness {
  /// Runs an escaper over a value followed by hostile readable bytes, which must not appear in the output.
  ///
  /// - Parameters:
  ///   - value: JSON for `json`; otherwise the value as text.
  ///   - prefix: bytes already in the output.
  static func escape(
    _ value: [UInt8], _ escaper: Escaper, behind prefix: [UInt8] = [], hostile: UInt8 = UInt8(ascii: "<"),
    in archive: CellArchive
  ) -> [UInt8] {
    let hidden = [UInt8](repeating: hostile, count: ByteBuffer.padding)
    var output = ByteBuffer()
    output.append(prefix)
    // Only the guaranteed number of bytes, so that the address sanitizer detects reads beyond.
    (value + hidden).withUnsafeBytes { bytes in
      let source = UnsafeRawBufferPointer(rebasing: bytes[..<value.count])
      switch escaper {
      case .json: output.appendScriptJSON(source)
      default: output.append(source, through: escaper, allowing: AllowedSchemes(archive))
      }
    }
    precondition(output.bytes.starts(with: prefix))
    return Array(output.bytes.dropFirst(prefix.count))
  }

  /// An archive with a cell `x` that prints its `v` through one escaper.
  static func archive(_ escaper: Escaper, schemes: URLSchemes = .standard) throws -> CellArchive {
    let source = TemplateSource(file: "x.mustache", kind: "x", mode: .text, bytes: Array("{{v}}".utf8))
    let bytes = try TemplateCompiler.compile([source], with: TemplateSettings(schemes: schemes)).archive
      .encoded()
    var tables = try ArchiveFormat.decode(bytes)
    for index in tables.ops.indices where tables.ops[index].code == OpCode.value.rawValue {
      tables.ops[index].b = escaper.rawValue
    }
    return try CellArchive(decoding: ArchiveFormat.encode(tables))
  }
}
