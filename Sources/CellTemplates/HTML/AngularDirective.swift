/// Names of AngularJS's directives, in any of the ways to write them: `ng-form`, `data-ng:form`, `x_ng--form`, and `ngForm`
/// in a class.
///
/// Source: AngularJS 1.8, `directiveNormalize` and the search for directives in `collectDirectives`.
enum AngularDirective {
  /// A directive that is a word of a class, and that word as most write it.
  struct InClass: Hashable {
    let directive: ExactString
    let word: ExactString
  }

  /// Those that may be words of a class, and evaluate another attribute or change what others mean.
  static let ofClasses = [
    InClass(directive: "ngForm", word: "ng-form"), InClass(directive: "ngInclude", word: "ng-include"),
    InClass(directive: "ngView", word: "ng-view"),
  ]

  /// The name as AngularJS compares it: `ngForm`.
  static func normalized(_ name: some Collection<UInt8>) -> ExactString {
    var rest = Array(name)[...]
    for prefix in ["data", "x"] where rest.count > prefix.utf8.count {
      let start = rest.prefix(prefix.utf8.count).map { $0 | 0x20 }
      guard start.elementsEqual(prefix.utf8), isSeparator(rest[start.count]) else { continue }
      rest = rest[(start.count + 1)...]
      break
    }
    rest = rest.drop(while: isSeparator)
    var result: [UInt8] = []
    var isAfterSeparator = false
    for byte in rest {
      if isSeparator(byte) {
        isAfterSeparator = true
      } else {
        result.append(isAfterSeparator && UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte ^ 0x20 : byte)
        isAfterSeparator = false
      }
    }
    return ExactString(decoding: result)
  }

  /// Whether a name is one of a directive, as an element or an attribute, in any of the ways to write it.
  /// `ng-non-bindable`, which keeps AngularJS away, does not count.
  static func isName(_ name: ExactString) -> Bool {
    let name = normalized(name.utf8)
    let rest = name.utf8.dropFirst(2)
    guard name.utf8.starts(with: "ng".utf8), let first = rest.first, name != "ngNonBindable" else {
      return false
    }
    return !(UInt8(ascii: "a")...UInt8(ascii: "z") ~= first)
  }

  /// The directives among the words of a class: `ng-include: 'a.html'`.
  /// - Parameter text: with references decoded.
  static func inClass(_ text: some Sequence<UInt8>) -> [InClass] {
    var words = AngularWords()
    words.read(text)
    return words.directives
  }

  /// The first of some directives that an element is or has, with its place: `next to ng-form`, `of <ng-form>`.
  /// - Parameter names: the element's attributes.
  static func first(
    _ directives: Set<ExactString>, of element: ExactString, _ names: some Sequence<ExactString>,
    _ inClass: some Sequence<InClass>
  ) -> String? {
    if directives.contains(normalized(element.utf8)) { return "of <\(element)>" }
    let words =
      names.filter { directives.contains(normalized($0.utf8)) }
      + inClass.lazy.filter { directives.contains($0.directive) }.map(\.word)
    return words.min().map { "next to \($0)" }
  }

  /// Whether a byte belongs to a word of a class.
  static func isOfWord(_ byte: UInt8) -> Bool {
    let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    return isLetter || isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "_")
  }
}
