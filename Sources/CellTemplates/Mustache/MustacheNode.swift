/// A template as a tree. Ranges and offsets are in bytes of its source.
indirect enum MustacheNode {
  /// The start of a line of the template, where a partial's or block's indentation is inserted unless the
  /// line is blank.
  case lineStart(isBlank: Bool)
  /// At most one line, including its newline.
  case text(Range<Int>)
  case variable(MustacheName, isRaw: Bool, format: WrittenFormat?, at: Int)
  case section(MustacheName, isInverted: Bool, plural: PluralRule?, content: [MustacheNode], at: Int)
  case partial(MustacheCall)
  case parent(MustacheCall, overrides: [MustacheBlock])
  case block(MustacheBlock)

  var isSection: Bool { if case .section = self { true } else { false } }
}

/// A dotted name, split at the dots; `["."]` is the item itself.
///
/// Names are equal if their bytes are, like keys of the data. Comparing Swift strings would also equate
/// canonically equivalent ones, such as `é` as one scalar or two.
struct MustacheName: Hashable {
  let segments: [String]
  /// Whether it is that of a section about a plural, which has no opposite: of a missing name, neither is printed.
  var isOfPlural = false

  static func == (left: MustacheName, right: MustacheName) -> Bool {
    // Usually the first bytes differ.
    left.segments.count == right.segments.count
      && zip(left.segments, right.segments).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }

  func hash(into hasher: inout Hasher) {
    for var segment in segments {
      segment.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      hasher.combine(UInt8(ascii: "."))
    }
  }

  var text: String { segments == ["."] ? "." : segments.joined(separator: ".") }
  var isItem: Bool { segments == ["."] }
  /// Whether it names a member of the request's owner, unless the row has an `owner` itself.
  var isOwners: Bool { segments.count > 1 && segments[0] == "owner" }
}

/// The target of a partial or parent tag.
struct MustacheCall {
  enum Target {
    case kind(String)
    case dynamic(MustacheName)
  }

  let target: Target
  /// Whether the tag is alone on its line. The callee's lines are then indented like that line, in addition
  /// to the caller's indentation.
  let standsAlone: Bool
  var indentation: Range<Int>
  let at: Int
}

/// `{{$name}}…{{/name}}`: an override inside a parent tag; elsewhere, a block with default content.
struct MustacheBlock {
  let name: String
  var content: [MustacheNode]
  /// Whether the opening tag ends its line, so that the content starts a line.
  let contentStartsLine: Bool
  /// Whether the opening tag is alone on its line, so that the block starts a line.
  let opensLine: Bool
  /// The indentation of an override's lines here.
  var indentation: Range<Int>
  let at: Int
}

extension PathEntry.Root {
  /// Where a name is looked up: among the names that begin with `@`, or in the row.
  init(of name: MustacheName) {
    self = name.isItem ? .item : AtNames.root(of: name.segments[0].utf8) ?? .name
  }
}
