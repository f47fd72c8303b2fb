/// Reads `data-bind`.
///
/// ```
/// ENTRY; ENTRY      ATTR:PATH   ATTR:'text {PATH}'   ATTR+:…   ATTR:COND   class.TOKEN:COND   style.PROPERTY:…   ATTR ATTR   ATTR:PATH | FORMAT
/// ```
struct BindingParser {
  typealias Fault = ConditionParser.Fault

  private var scanner: ConditionParser
  private let formats: NamedFormats
  private let isBoolean: (ExactString) -> Bool

  /// The entries of a text: at least one.
  /// - Parameters:
  ///   - isBoolean: whether an attribute of the element, in lowercase, is there or not, whatever its value.
  ///   - keep: called with the memory that each entry, and each hole in its text, takes, in pieces; false ends the reading.
  static func bindings(
    in text: [UInt8], formats: NamedFormats = .none, isBoolean: @escaping (ExactString) -> Bool,
    keep: (_ pieces: Int) -> Bool
  ) throws(Fault) -> [Binding] {
    var parser = BindingParser(
      scanner: ConditionParser(text, in: text.indices, endsAtSemicolon: true), formats: formats,
      isBoolean: isBoolean)
    var bindings: [Binding] = []
    parser.scanner.skipSpaces()
    while !parser.scanner.isAtEnd {
      let entries = try parser.entry(keep)
      guard keep(entries.last?.pieces ?? 0) else { break }
      bindings += entries
      parser.scanner.skipSpaces()
      if parser.scanner.isAtEnd { break }
      if parser.scanner.next == UInt8(ascii: "?") {
        throw Fault(
          offset: parser.scanner.position, message: "a binding does not choose between values",
          hint: ForeignConditions.choiceHint)
      }
      guard parser.scanner.next == UInt8(ascii: ";") else {
        throw Fault(
          offset: parser.scanner.position, message: "the end of the entry is expected here",
          hint: "separate entries by semicolons, and put texts in single quotes: "
            + "data-bind=\"href:url; title:'{first} {last}'\"")
      }
      parser.scanner.skip()
      parser.scanner.skipSpaces()
    }
    if bindings.isEmpty {
      throw Fault(
        offset: 0, message: "there is nothing to bind",
        hint: "name an attribute, and what sets it: data-bind=\"href:url\"")
    }
    return bindings
  }

  /// One entry; several if it has names alone.
  private mutating func entry(_ keep: (_ pieces: Int) -> Bool) throws(Fault) -> [Binding] {
    let start = scanner.position
    let written = scanner.attributeName()
    scanner.skipSpaces()
    guard scanner.next == UInt8(ascii: ":") else { return try names(from: written, at: start, keep) }
    scanner.skip()
    scanner.skipSpaces()
    let (attribute, target) = try target(written, at: start)
    let isChoice =
      switch target {
      case .token: true
      case .attribute: isBoolean(ExactString(inLowercase: attribute))
      case .addition, .property: false
      }
    var binding = Binding(
      attribute: String(decoding: attribute, as: UTF8.self), target: target,
      source: isChoice ? .condition(try scanner.condition()) : try source(of: attribute, keep))
    binding.format = try format(of: binding)
    return [binding]
  }

  /// The format after a bar.
  private mutating func format(of binding: Binding) throws(Fault) -> WrittenFormat? {
    let end = scanner.position
    scanner.skipSpaces()
    guard scanner.next == UInt8(ascii: "|") else { return nil }
    let bar = scanner.position
    guard case .path = binding.source, bar > end else {
      throw Fault(
        offset: bar, message: "a format follows a single name; write white space before the bar",
        hint:
          "write title:published | date long; in a text, format names in the braces: '{price | currency EUR}'",
        code: .invalidFormat)
    }
    scanner.skip()
    let start = scanner.position
    while let byte = scanner.next, byte != UInt8(ascii: ";") { scanner.skip() }
    return try read(scanner.text[start..<scanner.position], at: start)
  }

  private func read(_ text: ArraySlice<UInt8>, at start: Int) throws(Fault) -> WrittenFormat {
    do throws(FormatParser.Fault) {
      return try FormatParser.format(Array(text), own: formats)
    } catch {
      throw Fault(offset: start + error.offset, message: error.message, hint: error.hint, code: error.code)
    }
  }

  private mutating func source(
    of attribute: ArraySlice<UInt8>, _ keep: (_ pieces: Int) -> Bool
  ) throws(Fault) -> Binding.Source {
    switch scanner.next {
    case UInt8(ascii: "!"): throw condition(of: attribute)
    case UInt8(ascii: "'"): return .text(try pieces(keep))
    case UInt8(ascii: "{"), UInt8(ascii: "\""):
      throw Fault(
        offset: scanner.position, message: "a name or a text in single quotes is expected here",
        hint: "write title:name, or title:'{first} {last}'")
    case nil, UInt8(ascii: ";"):
      throw Fault(
        offset: scanner.position, message: "a name is expected here",
        hint: "write ATTRIBUTE:NAME: data-bind=\"href:url; title:name\"")
    default:
      let path = try scanner.path()
      let end = scanner
      scanner.skipSpaces()
      switch scanner.next {
      case UInt8(ascii: "!"), UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"):
        throw condition(of: attribute)
      default: scanner = end
      }
      return .path(path)
    }
  }

  /// A condition where a value is expected.
  private func condition(of attribute: ArraySlice<UInt8>) -> Fault {
    Fault(
      offset: scanner.position,
      message: "\(NameRule.shown(Array(attribute))) takes a value, and no condition",
      hint: "conditions decide attributes such as disabled and hidden, and classes: class.low:stock<5; "
        + "otherwise send the value in the data, or write an element for each case, with data-when")
  }

  /// Names alone: `src alt` is short for `src:src; alt:alt`.
  private mutating func names(
    from first: ArraySlice<UInt8>, at start: Int, _ keep: (_ pieces: Int) -> Bool
  ) throws(Fault) -> [Binding] {
    var bindings: [Binding] = []
    var (name, position) = (first, start)
    while true {
      guard case (let attribute, .attribute) = try target(name, at: position),
        let path = NibPath.name(attribute)
      else {
        throw Fault(
          offset: position, message: "\"\(NameRule.shown(Array(name)))\" needs a value",
          hint: "write it after a colon: "
            + (name.starts(with: "style".utf8) ? "style.width:'{percent}%'" : "class.low:stock<5"))
      }
      let text = String(decoding: attribute, as: UTF8.self)
      let isChoice = isBoolean(ExactString(inLowercase: attribute))
      bindings.append(
        Binding(
          attribute: text, target: .attribute,
          source: isChoice ? .condition(Condition(path: path)) : .path(path)))
      scanner.skipSpaces()
      if scanner.isAtEnd || scanner.next == UInt8(ascii: ";") { return bindings }
      guard keep(bindings.last?.pieces ?? 0) else { return bindings }
      position = scanner.position
      name = scanner.attributeName()
      if scanner.next == UInt8(ascii: ":") {
        throw Fault(
          offset: position, message: "the entry before it is not ended",
          hint: "separate entries by semicolons: data-bind=\"href:url; title:name\"")
      }
    }
  }

  /// What is before the colon.
  private func target(_ written: ArraySlice<UInt8>, at position: Int) throws(Fault) -> (
    ArraySlice<UInt8>, Binding.Target
  ) {
    if written.last == UInt8(ascii: "+") { return (try checked(written.dropLast(), at: position), .addition) }
    if let dot = written.firstIndex(of: UInt8(ascii: ".")) {
      let (attribute, rest) = (written[..<dot], written[(dot + 1)...])
      switch ExactString(inLowercase: attribute) {
      case "class":
        if rest.isEmpty {
          throw Fault(
            offset: position, message: "the class is missing",
            hint: "write class.TOKEN:NAME: data-bind=\"class.low:stock<5\"")
        }
        if let fault = NameRule.fault(in: rest) {
          throw Fault(
            offset: position, message: "the class \"\(NameRule.shown(Array(rest)))\" \(fault)",
            hint: "write class.TOKEN:NAME: data-bind=\"class.low:stock<5\"")
        }
        return (attribute, .token(ExactString(String(decoding: rest, as: UTF8.self))))
      case "style":
        if let meant = ForeignConditions.property(writtenInScripts: rest) {
          throw Fault(
            offset: position, message: "\"\(NameRule.shown(Array(rest)))\" is not a property of a style",
            hint: "write style.\(NameRule.shown(Array(meant.utf8)))")
        }
        guard let property = CSSDeclarations.property(rest) else {
          throw Fault(
            offset: position, message: "\"\(NameRule.shown(Array(rest)))\" is not a property of a style",
            hint: "write style.PROPERTY: style.width:'{percent}%'")
        }
        return (attribute, .property(property))
      default: break
      }
    }
    return (try checked(written, at: position), .attribute)
  }

  private func checked(_ name: ArraySlice<UInt8>, at position: Int) throws(Fault) -> ArraySlice<UInt8> {
    if name.isEmpty {
      throw Fault(
        offset: position, message: "the name of an attribute is expected here",
        hint: "write ATTRIBUTE:NAME: data-bind=\"href:url; title:name\"")
    }
    guard name.allSatisfy(Self.isNameByte) else {
      throw Fault(
        offset: position,
        message: "\"\(NameRule.shown(Array(name)))\" is not an attribute that a value may set",
        hint: name.contains(UInt8(ascii: "="))
          ? "write a colon between the attribute and the name: data-bind=\"href:url\""
          : "write ATTRIBUTE:NAME: data-bind=\"href:url; title:name\"")
    }
    return name
  }

  /// The characters of attribute names in the policy: none that ends a name, or starts a value or a tag.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: ":"):
      true
    default: HTMLTokenizer.isLetter(byte)
    }
  }

  /// The pieces of a text in single quotes; the first of them if `keep` ends the reading.
  private mutating func pieces(_ keep: (_ pieces: Int) -> Bool) throws(Fault) -> [Binding.Piece] {
    let start = scanner.position
    let text = try scanner.quoted()
    var pieces: [Binding.Piece] = []
    var rest = text[...]
    while let brace = rest.firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) {
      if brace > rest.startIndex { pieces.append(.literal(Array(rest[..<brace]))) }
      guard rest[brace] == UInt8(ascii: "{"), let end = rest[brace...].firstIndex(of: UInt8(ascii: "}")),
        let hole = try hole(rest[(brace + 1)..<end], at: start)
      else {
        throw Fault(
          offset: start, message: "a brace in the text does not hold a name",
          hint: "write names in braces: title:'{first} {last}'")
      }
      pieces.append(hole)
      rest = rest[(end + 1)...]
      // The hole, and the text before it.
      guard keep(2) else { break }
    }
    if !rest.isEmpty { pieces.append(.literal(Array(rest))) }
    return pieces
  }

  /// A name in braces, with its format.
  private func hole(_ text: ArraySlice<UInt8>, at start: Int) throws(Fault) -> Binding.Piece? {
    let bar = text.indices.dropFirst().first {
      text[$0] == UInt8(ascii: "|") && HTMLTokenizer.isSpace(text[$0 - 1])
    }
    guard let path = NibPath.name(Self.trimmed(text[..<(bar ?? text.endIndex)])) else { return nil }
    // Quotes in a text are doubled, so that places in it are not known.
    return .path(
      path,
      try bar.map { bar throws(Fault) in
        do throws(Fault) { return try read(text[(bar + 1)...], at: 0) } catch {
          throw Fault(offset: start, message: error.message, hint: error.hint, code: error.code)
        }
      })
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = text.drop(while: HTMLTokenizer.isSpace)
    return start[..<(start.lastIndex { !HTMLTokenizer.isSpace($0) }.map { $0 + 1 } ?? start.startIndex)]
  }
}

extension ConditionParser {
  /// The name of an attribute in `data-bind`: up to white space, a semicolon, or the first colon but that of `xlink:href`.
  fileprivate mutating func attributeName() -> ArraySlice<UInt8> {
    let start = position
    while let byte = next, !HTMLTokenizer.isSpace(byte), byte != UInt8(ascii: ";") {
      if byte == UInt8(ascii: ":"), ExactString(inLowercase: text[start..<position]) != "xlink" { break }
      skip()
    }
    return text[start..<position]
  }
}
