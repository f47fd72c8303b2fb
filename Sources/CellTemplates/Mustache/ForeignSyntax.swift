/// What other template languages write, and how it is written here.
enum ForeignSyntax {
  struct Lesson {
    let message: String
    let hint: String
    /// The names that its author may close it with: `{{#if x}}` with `{{/if}}`.
    var ends: [String] = []
  }

  /// Longer tags are not examined.
  private static let limitBytes = 256

  // MARK: Tags

  /// - Parameter opened: returns the name of the section around the tag, if there is one. It may be long, so it is asked for a
  ///   lesson alone.
  static func lesson(for tag: MustacheTag, isInSection: Bool, opened: () -> String?) -> Lesson? {
    if tag.name.utf8.count > limitBytes { return nil }
    let words = tag.name.utf8.split(whereSeparator: MustacheScanner.isSpace).map {
      String(decoding: $0, as: UTF8.self)
    }
    switch tag.kind {
    case .variable where words.first == "else": return otherwise(opened())
    case .variable where words.count > 1: return helper(words)
    // Handlebars' opposite.
    case .inverted where words.isEmpty && isInSection: return otherwise(opened(), "{{^}}")
    case .section, .inverted:
      return (words.count > 1 ? helper(words) : nil) ?? comparison(tag.name)
    default: return nil
    }
  }

  private static func otherwise(_ opened: String?, _ tag: String = "{{else}}") -> Lesson {
    let name = opened.flatMap { isPlain($0) ? $0 : nil } ?? "x"
    return Lesson(
      message: "there is no \(tag)",
      hint: "end the section, and write its opposite: {{#\(name)}}…{{/\(name)}}{{^\(name)}}…{{/\(name)}}")
  }

  /// `if x`, `each items as |item|`.
  private static func helper(_ words: [String]) -> Lesson? {
    let name = isPlain(words[1]) ? words[1] : "x"
    let what: String
    switch words[0] {
    case "if", "with":
      what =
        "{{#\(name)}}…{{/\(name)}}, which prints its content if there is \(name), and {{^\(name)}} if there is not"
    case "unless": what = "{{^\(name)}}…{{/\(name)}}, which prints its content if there is no \(name)"
    case "each", "for", "foreach", "range":
      // `for item in items`.
      let list = words.count > 3 && words[2] == "in" && isPlain(words[3]) ? words[3] : name
      what = "{{#\(list)}}…{{/\(list)}}, which repeats its content for each item of a list"
    default: return nil
    }
    var lesson = Lesson(
      message: "there is no \"\(words[0])\" here: sections need none", hint: "write " + what)
    if let compared = comparison(words.dropFirst().joined(separator: " ")) {
      lesson = Lesson(message: lesson.message, hint: compared.hint)
    }
    lesson.ends = [words[0], name]
    return lesson
  }

  /// `x == "y"`.
  private static func comparison(_ text: String) -> Lesson? {
    // Those of one character may be part of a name, but for white space beside them.
    let signs = ["==", "!=", "&&", "||", ">=", "<=", " > ", " < ", " = "]
    guard let sign = signs.first(where: { text.utf8.firstRange(of: $0.utf8) != nil }) else { return nil }
    let left = text.utf8.firstRange(of: sign.utf8).map { text.utf8[..<$0.lowerBound] } ?? text.utf8[...]
    let name = String(decoding: left.filter { !MustacheScanner.isSpace($0) }, as: UTF8.self)
    return Lesson(
      message: "a section does not compare: it asks if there is a value",
      hint:
        "send a name that says it, as in {{#isSoldOut}}…{{/isSoldOut}}; in a nib, write data-when=\"stock=out\"",
      ends: isPlain(name) ? [name] : [])
  }

  /// `{{items[0]}}`, and `{{price|number}}`, which is a name without the white space before its bar.
  /// - Parameter isFormat: whether a format has a name.
  static func lesson(for name: MustacheName, isFormat: (String) -> Bool) -> Lesson? {
    if let lesson = ForeignNames.lesson(for: name) { return lesson }
    // The bar is in the last name, if a format follows.
    guard let last = name.segments.last, last.utf8.count <= limitBytes,
      let bar = last.utf8.firstIndex(of: UInt8(ascii: "|")), name.segments.count <= limitBytes
    else { return nil }
    let text = name.text
    if text.utf8.count > limitBytes { return nil }
    let format = String(last[last.utf8.index(after: bar)...])
    let left = String(text.utf8.dropLast(format.utf8.count + 1)) ?? ""
    guard !left.isEmpty, isFormat(format) else { return nil }
    return Lesson(
      message: "\"\(text)\" is read as a name",
      hint: "write white space before the bar: {{\(left) | \(format)}}")
  }

  private static func isPlain(_ name: String) -> Bool {
    name.utf8.count <= NearestName.limitBytes
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: "@"):
          true
        default: false
        }
      }
  }

  // MARK: Text

  /// The first tag of Liquid or Jinja (`{% if x %}`) and the first value of a script's template (`${x}`) in a
  /// template, which print as they are. Not those of a `<script>` or `<style>`, and no `${x}` after a backtick on its
  /// line: that is a script's.
  static func inText(of bytes: ArraySlice<UInt8>) -> [(at: Int, lesson: Lesson)] {
    var found: [(at: Int, lesson: Lesson)] = []
    var needsTag = true
    var needsValue = true
    var isCode = false
    var isBehindTick = false
    for position in bytes.indices where needsTag || needsValue {
      switch bytes[position] {
      case UInt8(ascii: "\n"): isBehindTick = false
      case UInt8(ascii: "`"): isBehindTick = true
      case UInt8(ascii: "<"):
        let rest = bytes[(position + 1)...]
        if starts(rest, with: "script") || starts(rest, with: "style") { isCode = true }
        if starts(rest, with: "/") { isCode = false }
      case UInt8(ascii: "{") where needsTag && !isCode:
        guard let word = tagWord(bytes[(position + 1)...]) else { continue }
        needsTag = false
        found.append((position, liquid(word)))
      case UInt8(ascii: "$") where needsValue && !isCode && !isBehindTick:
        guard let name = scriptName(bytes[(position + 1)...]) else { continue }
        needsValue = false
        found.append(
          (
            position,
            Lesson(message: "\"${\(name)}\" is printed as it is", hint: "for the value, write {{\(name)}}")
          ))
      default: continue
      }
    }
    return found
  }

  private static func starts(_ bytes: ArraySlice<UInt8>, with word: StaticString) -> Bool {
    let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    return bytes.count >= word.count && zip(bytes, word).allSatisfy { $0 | 0x20 == $1 | 0x20 }
  }

  private static let tagWords: Set = [
    "if", "elif", "elsif", "else", "elseif", "endif", "unless", "endunless", "for", "endfor", "include",
    "render",
    "block", "endblock", "extends", "set", "assign", "capture", "case", "when", "endcase", "with", "endwith",
  ]

  /// The word of `% if x %}`, if it is one of a template language.
  private static func tagWord(_ rest: ArraySlice<UInt8>) -> String? {
    guard rest.first == UInt8(ascii: "%") else { return nil }
    let text = rest.dropFirst().prefix(limitBytes).drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: " ") }
    let word = String(decoding: text.prefix { isLetter($0) }, as: UTF8.self)
    return tagWords.contains(word) ? word : nil
  }

  private static func liquid(_ word: String) -> Lesson {
    let hint: String
    switch word {
    case "for", "endfor":
      hint = "write {{#items}}…{{/items}}, which repeats its content for each item of a list"
    case "include", "render": hint = "write {{>kind}}"
    case "block", "endblock": hint = "write {{$name}}…{{/name}}"
    case "extends": hint = "write {{<kind}}…{{/kind}}"
    default: hint = "write {{#x}}…{{/x}}, which prints its content if there is x, and {{^x}} if there is not"
    }
    return Lesson(message: "\"{% \(word)\" is printed as it is", hint: hint)
  }

  /// The name in `{author.name}`.
  private static func scriptName(_ rest: ArraySlice<UInt8>) -> String? {
    guard rest.first == UInt8(ascii: "{") else { return nil }
    let text = rest.dropFirst().prefix(NearestName.limitBytes)
    guard let first = text.first, isLetter(first), let end = text.firstIndex(of: UInt8(ascii: "}")) else {
      return nil
    }
    let name = String(decoding: text[..<end], as: UTF8.self)
    return isPlain(name) ? name : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
  }
}
