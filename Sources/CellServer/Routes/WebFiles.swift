import CResources
import CellTemplates

/// The files for pages that are part of the program.
enum WebFiles {
  /// Without what browsers do not need: comments, indentation, spaces beside signs, semicolons before `}`, the ends of lines that go on, and
  /// letters of names.
  static let script = file("text/javascript; charset=utf-8", codeLines(of: bytes(of: cf_cells_js())))
  /// TypeScript's declarations. Browsers never load them.
  static let types = file("text/plain; charset=utf-8", bytes(of: cf_cells_d_ts()))

  private static func file(_ contentType: StaticString, _ bytes: [UInt8]) -> StoredFile {
    StoredFile(contentType: contentType, bytes: StoredBytes(bytes), hash: ContentHash(of: bytes).hex)
  }

  private static func bytes(of resource: cf_resource) -> [UInt8] {
    Array(UnsafeBufferPointer(start: resource.bytes, count: resource.count))
  }

  /// The code of a script. Comments are lines that begin with `//`, and types: `/** … */` in one line. No text has more than one line.
  private static func codeLines(of script: [UInt8]) -> [UInt8] {
    let lines = script.split(separator: UInt8(ascii: "\n")).map {
      squeezed(withoutTypes($0.drop { $0 == UInt8(ascii: " ") }))
    }
    var code: [UInt8] = []
    for line in lines where !line.isEmpty && !line.starts(with: "//".utf8) {
      if line.first == UInt8(ascii: "}") {
        if code.last == UInt8(ascii: ";") { code.removeLast() }
      } else if let last = code.last, !goesOn.contains(last) {
        code.append(UInt8(ascii: "\n"))
      }
      code += line
    }
    return code
  }

  private static func withoutTypes(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var (code, rest) = (ArraySlice<UInt8>(), line)
    while let start = rest.firstRange(of: "/**".utf8),
      let end = rest[start.upperBound...].firstRange(of: "*/".utf8)
    {
      code += rest[..<start.lowerBound]
      rest = rest[end.upperBound...].drop { $0 == UInt8(ascii: " ") }
    }
    return code + rest
  }

  /// Drops spaces beside signs, and all of the long names but their first letters; not in texts, templates and regular expressions. No
  /// template has another one inside, or a long name.
  private static func squeezed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var code = ArraySlice<UInt8>()
    var end: UInt8?
    var isEscaped = false
    var isSpaceDropped = false
    for byte in line {
      if let mark = end {
        code.append(byte)
        if byte == mark, !isEscaped { end = nil }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        continue
      }
      let word = code.reversed().prefix(while: isWord)
      if !isWord(byte), let name = longNames.first(where: { $0.reversed().elementsEqual(word) }) {
        code.removeLast(name.count - 1)
      }
      if "\"'`/".utf8.contains(byte) { end = byte }
      if byte == UInt8(ascii: " "), let last = code.last, signs.contains(last) {
        isSpaceDropped = true
        continue
      }
      if signs.contains(byte), code.last == UInt8(ascii: " ") {
        code.removeLast()
        isSpaceDropped = true
      }
      // `a - -b` is not `a--b`.
      if isSpaceDropped, plusAndMinus.contains(byte), let last = code.last, plusAndMinus.contains(last) {
        code.append(UInt8(ascii: " "))
      }
      isSpaceDropped = false
      if byte == UInt8(ascii: "}"), code.last == UInt8(ascii: ";") { code.removeLast() }
      code.append(byte)
    }
    return code
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9"), letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    return byte == UInt8(ascii: "_") || digits.contains(byte) || letters.contains(byte | 0x20)
  }

  /// After these, and before `}`, code is the same with a line end or without, where each statement but a block ends with `;`.
  private static let goesOn = Set("{}([,;".utf8)
  /// The long names that the script has most often.
  private static let longNames = ["table".utf8, "element".utf8]
  /// Without `.`, which is part of a number if it follows one directly.
  private static let signs = Set("{}()[],;:=?<>&|!*%+-".utf8)
  private static let plusAndMinus = Set("+-".utf8)
}
