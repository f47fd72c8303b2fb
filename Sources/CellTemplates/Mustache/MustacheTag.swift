/// One `{{…}}` of a template, as scanned.
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
  /// Without surrounding white space and without the `*` of a dynamic name.
  private(set) var name: String
  let isDynamic: Bool
  /// What comes after the bar, as byte offsets of the source: a format. nil if there is no bar.
  var format: Range<Int>?
  /// The whole tag including delimiters, as byte offsets of the source.
  let range: Range<Int>

  /// Whether the tag is alone on its line, which is then removed with it.
  var standsAlone = false
  /// The white space before it on its line, if there is nothing else.
  var indentation = 0..<0

  /// A copy of the tag with another name.
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
