/// Reads a style sheet token by token, with the brackets that are open and the references to other files.
struct StyleReader {
  /// A token, and what is known of its place.
  struct Piece {
    let token: StyleScanner.Token
    let range: Range<Int>
    /// The content of a string or `url(…)` that names a file.
    let reference: Range<Int>?
    /// Brackets around it; for a bracket, without itself.
    let depth: Int
    /// Whether it closes nothing.
    let isStray: Bool
  }

  private enum Bracket: UInt8 {
    case parenthesis, square, brace
    /// The parenthesis of `url(` before a string.
    case url
    /// That of `image-set(`, whose strings are URLs.
    case imageSet

    var end: UInt8 {
      switch self {
      case .parenthesis, .url, .imageSet: UInt8(ascii: ")")
      case .square: UInt8(ascii: "]")
      case .brace: UInt8(ascii: "}")
      }
    }
  }

  private var scanner: StyleScanner
  private var open: [Bracket] = []
  /// Whether the last token but spaces and comments is `@import`.
  private var isImporting = false

  init(_ bytes: some Collection<UInt8>) { scanner = StyleScanner(Array(bytes)) }

  var bytes: [UInt8] { scanner.bytes }
  /// The name of the last piece.
  var name: String { scanner.name }

  /// What must follow the end of the text to close all that is open.
  /// - Parameter isWhole: whether a text that is complete stands for the last token.
  func missingEnd(isWhole: Bool) -> [UInt8] {
    (isWhole ? [] : scanner.missingEnd) + open.reversed().map(\.end)
  }

  mutating func next() -> Piece? {
    guard let token = scanner.next() else { return nil }
    var depth = open.count
    var isStray = false
    var reference: Range<Int>?
    let wasImporting = isImporting
    if token != .space, token != .comment { isImporting = false }
    switch token {
    case .url(let content): reference = content
    case .string(let content):
      if wasImporting || open.last == .url || open.last == .imageSet { reference = content }
    case .atKeyword: isImporting = scanner.name == "import"
    case .function:
      switch scanner.name {
      case "url": open.append(.url)
      case "image-set", "-webkit-image-set": open.append(.imageSet)
      default: open.append(.parenthesis)
      }
    case .open(let byte):
      open.append(
        byte == UInt8(ascii: "{") ? .brace : byte == UInt8(ascii: "[") ? .square : .parenthesis)
    case .close(let byte):
      // Within parentheses, a brace closes nothing, and so on: only the innermost can be closed.
      if let last = open.last {
        if last.end == byte {
          open.removeLast()
          depth -= 1
        }
      } else {
        isStray = true
      }
    default: break
    }
    // In `@import url("a.css")`, the string comes after the function.
    if wasImporting, token == .function, scanner.name == "url" { isImporting = false }
    return Piece(
      token: token, range: scanner.range, reference: reference, depth: depth, isStray: isStray)
  }

  /// The text of a reference, as a URL.
  func text(of reference: Range<Int>) -> String { StyleScanner.unescaped(scanner.bytes[reference]) }
}
