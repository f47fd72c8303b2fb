/// Of a URL that becomes part of the page: a segment of its path, as far as it may be `..`, which would lead to another path.
///
/// Source: URL standard, "double-dot URL path segment": either dot may be written `%2e`, in any case. White space at the
/// end of a URL is dropped.
struct URLSegment: Hashable {
  /// What the static text may be: one for each way through sections.
  private struct Texts: OptionSet, Hashable {
    let rawValue: UInt16

    static let other = Texts(rawValue: 1)
    static let twoDots = Texts(rawValue: 2)
    /// Two dots and white space.
    static let dotsAndSpace = Texts(rawValue: 4)

    /// No dot or one, and how many bytes of another's `%2e`.
    static func dots(_ dots: Int, _ begun: Int) -> Texts { Texts(rawValue: 8 << (dots * 3 + begun)) }

    static let unfinished: Texts = [.dots(0, 1), .dots(0, 2), .dots(1, 1), .dots(1, 2)]
  }

  private var texts = Texts.dots(0, 0)
  private var hasValue = false

  mutating func feed(_ byte: UInt8) {
    if texts == .other { return }
    var next = texts.intersection(.other)
    for (dots, begun) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    where texts.contains(.dots(dots, begun)) {
      next.formUnion(Self.text(of: dots, begun, and: byte))
    }
    if !texts.isDisjoint(with: [.twoDots, .dotsAndSpace]) {
      next.formUnion(byte <= 0x20 ? .dotsAndSpace : .other)
    }
    texts = next
  }

  private static func text(of dots: Int, _ begun: Int, and byte: UInt8) -> Texts {
    switch (begun, byte) {
    case (0, UInt8(ascii: ".")), (2, UInt8(ascii: "e")), (2, UInt8(ascii: "E")):
      dots == 1 ? .twoDots : .dots(1, 0)
    case (0, UInt8(ascii: "%")), (1, UInt8(ascii: "2")): .dots(dots, begun + 1)
    default: .other
    }
  }

  /// - Throws: if a value may be the rest of a `%2e`.
  mutating func hole() throws(Refusal) {
    hasValue = true
    if texts.isDisjoint(with: .unfinished) { return }
    texts.subtract(.unfinished)
    texts.insert(.other)
    throw Refusal(
      .ambiguousURL, "with the % before it, this value could make %2e, which is a dot in a path",
      hint: "write %25 for a percent sign, or . for a dot")
  }

  /// - Parameter isLast: whether the URL ends here.
  /// - Throws: if it may be `..`, and may be something else.
  func finish(isLast: Bool) throws(Refusal) {
    let dots: Texts = isLast ? [.twoDots, .dotsAndSpace] : .twoDots
    if texts.isDisjoint(with: dots) || (!hasValue && texts.isSubset(of: dots)) { return }
    throw Refusal(
      .ambiguousURL, "depending on the data, this part of the path may be .., which leads to another path",
      hint: "write other static text into it, as in v{{major}}.{{minor}}.{{patch}}")
  }

  func joined(with other: URLSegment) -> URLSegment {
    var both = self
    both.texts.formUnion(other.texts)
    both.hasValue = hasValue || other.hasValue
    return both
  }
}
