/// A template as a tree. Ranges and offsets are bytes of the one source it came from.
indirect enum MustacheNode {
  /// A line of the template begins here: where a partial's or block's indentation goes, unless the line is
  /// blank.
  case lineStart(isBlank: Bool)
  /// At most one line, its end included.
  case text(Range<Int>)
  case variable(MustacheName, isRaw: Bool, at: Int)
  case section(MustacheName, isInverted: Bool, content: [MustacheNode], at: Int)
  case partial(MustacheCall)
  case parent(MustacheCall, overrides: [MustacheBlock])
  case block(MustacheBlock)
}

/// A dotted name, split; `["."]` is the item itself.
///
/// Names are equal if their bytes are, as keys of the data are; Swift's strings would also take
/// canonically equivalent ones (`é` as one scalar or two) for each other.
struct MustacheName: Hashable {
  let segments: [String]

  static func == (left: MustacheName, right: MustacheName) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }

  var text: String { segments == ["."] ? "." : segments.joined(separator: ".") }
  var isItem: Bool { segments == ["."] }
}

/// What a partial or parent tag calls.
struct MustacheCall {
  enum Target {
    case kind(String)
    case dynamic(MustacheName)
  }

  let target: Target
  /// Alone on its line: the callee's lines take the indentation of the line, and of the caller.
  let standsAlone: Bool
  var indentation: Range<Int>
  let at: Int
}

/// `{{$name}}…{{/name}}`: in a parent tag an override, elsewhere a place to override, with its default.
struct MustacheBlock {
  let name: String
  var content: [MustacheNode]
  /// The opening tag ends its line: the content starts with a line of its own.
  let contentStartsLine: Bool
  /// The opening tag has a line to itself (the place to override then starts a line).
  let opensLine: Bool
  /// What the lines of an override take at this place.
  var indentation: Range<Int>
  let at: Int
}
