/// One `{{…}}` of a template, as the scanner found it.
struct MustacheTag {
  enum Kind {
    case variable
    case raw
    case section
    case inverted
    case end
    case partial
    case parent
    case block
    case comment
    case delimiters
  }

  let kind: Kind
  /// White space at its ends removed, the `*` of a dynamic name too.
  private(set) var name: String
  let isDynamic: Bool
  /// The whole tag with its delimiters, as byte offsets of the source.
  let range: Range<Int>

  /// Alone on its line: the line vanishes with it.
  var standsAlone = false
  /// The white space before it on its line, where nothing else stands there.
  var indentation = 0..<0

  /// The same tag with another name.
  func named(_ name: String) -> MustacheTag {
    var tag = self
    tag.name = name
    return tag
  }
}

enum MustacheToken {
  case text(Range<Int>)
  case tag(MustacheTag)
}
