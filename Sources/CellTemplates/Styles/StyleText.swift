/// The text of a style sheet, made ready to be one of several in a file: what must come first is apart, nothing is left
/// open at its end, no bracket closes what is around it, and its references lead to where the files are.
struct StyleText {
  /// `@import` and `@layer` statements, which must come before all rules.
  private(set) var imports: [UInt8] = []
  private(set) var rules: [UInt8] = []
  private let media: MediaQueries
  private let link: (String) -> String?
  private var reader: StyleReader
  private var statement: Statement?
  private var isInRules = false
  /// Whether the last token has a new address.
  private var isLastLinked = false
  /// Whether the last token would go on with what follows, if nothing were between them.
  private var isLastOpen = false

  /// A statement that may belong before the rules, as far as it has been read.
  private struct Statement {
    let name: String
    var text: [UInt8]
    var tail = ImportTail()
  }

  /// - Parameters:
  ///   - styles: a style sheet.
  ///   - media: media queries for all of it.
  ///   - limitBytes: if there are more bytes, the rest is left out.
  ///   - link: the new address for a reference; nil if it stays as it is.
  init(
    _ styles: some Collection<UInt8>, media: MediaQueries = .all, limitBytes: Int = .max,
    link: @escaping (String) -> String?
  ) {
    self.link = link
    self.media = media
    reader = StyleReader(styles)
    while imports.count + rules.count + (statement?.text.count ?? 0) <= limitBytes, let piece = reader.next()
    {
      if isInRules { addRules(piece) } else { readBeginning(piece) }
      isLastOpen =
        switch piece.token {
        case .word, .atKeyword, .other: true
        default: false
        }
    }
    let missingEnd = reader.missingEnd(isWhole: isLastLinked)
    if var rest = statement {
      rest.text += missingEnd
      rest.tail.end(with: missingEnd)
      end(rest)
    } else if !rules.isEmpty {
      rules += missingEnd
    }
    rules = media.wrapping(rules)
  }

  /// `@import url("…") screen;` and a line end.
  static func importing(_ url: String, layer: [UInt8] = [], _ media: MediaQueries) -> [UInt8] {
    var text = Array("@import url(".utf8) + quoted(url) + Array(")".utf8) + layer
    if let queries = media.text { text += Array(" \(queries)".utf8) }
    return text + Array(";\n".utf8)
  }

  /// The text of an attribute `style`, with its references leading to where the files are.
  static func linking(_ styles: String, _ link: @escaping (String) -> String?) -> String {
    var reader = StyleReader(styles.utf8)
    var output: [UInt8] = []
    while let piece = reader.next() {
      guard let reference = piece.reference, let url = link(reader.text(of: reference)) else {
        output += reader.bytes[piece.range]
        continue
      }
      output += linked(piece, url)
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// A string or `url(…)` with another address.
  private static func linked(_ piece: StyleReader.Piece, _ url: String) -> [UInt8] {
    guard case .url = piece.token else { return quoted(url) }
    return Array("url(".utf8) + quoted(url) + Array(")".utf8)
  }

  private mutating func readBeginning(_ piece: StyleReader.Piece) {
    guard var statement = statement.take() else {
      switch piece.token {
      case .space, .mark: return
      case .comment: addRules(piece)
      case .atKeyword where ["import", "charset", "layer"].contains(reader.name):
        statement = Statement(name: reader.name, text: Array(reader.bytes[piece.range]))
      default:
        isInRules = true
        addRules(piece)
      }
      return
    }
    switch piece.token {
    case .open(UInt8(ascii: "{")) where piece.depth == 0:
      // A rule after all: `@layer name {`.
      isInRules = true
      rules += statement.text
      addRules(piece)
    case .semicolon where piece.depth == 0: end(statement)
    default:
      statement.text += copy(piece)
      statement.tail.add(piece, of: reader)
      self.statement = statement
    }
  }

  private mutating func end(_ statement: Statement) {
    switch statement.name {
    case "layer": imports += statement.text + Array(";\n".utf8)
    case "import":
      guard let url = statement.tail.url else { return }
      let own = MediaQueries(String(decoding: statement.tail.media, as: UTF8.self))
      imports += Self.importing(link(url) ?? url, layer: statement.tail.layer, media.and(own))
    default: break
    }
  }

  private mutating func addRules(_ piece: StyleReader.Piece) {
    let text = copy(piece)
    rules += text
  }

  private mutating func copy(_ piece: StyleReader.Piece) -> ArraySlice<UInt8> {
    isLastLinked = false
    // What would end a rule around the text, and what is only allowed at the top of a file. A comment keeps the tokens around
    // it apart, which could leave something open together.
    if piece.isStray || (piece.token == .mark && piece.depth == 0) {
      return isLastOpen ? Array("/**/".utf8)[...] : []
    }
    if let reference = piece.reference, let url = link(reader.text(of: reference)) {
      isLastLinked = true
      return Self.linked(piece, url)[...]
    }
    return reader.bytes[piece.range]
  }

  /// A string of CSS (CSSOM, "serialize a string").
  static func quoted(_ text: String) -> [UInt8] {
    var output = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
      case 0: output += "\u{FFFD}".utf8
      case 1..<0x20, 0x7F: output += "\\\(String(byte, radix: 16)) ".utf8
      default: output.append(byte)
      }
    }
    return output + [UInt8(ascii: "\"")]
  }
}
