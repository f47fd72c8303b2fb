/// A template after the walk: what is printed, and the escaper of each value.
///
/// `ProgramWriter` turns it into operations and makes no more decisions about HTML.
indirect enum CellNode {
  /// The start of a line of the template, where a partial's or block's indentation is inserted unless the
  /// line is blank.
  case lineStart(isBlank: Bool)
  case literal([UInt8])
  case value(MustacheName, Escaper, format: WrittenFormat? = nil, at: Int)
  case section(MustacheName, isInverted: Bool, content: [CellNode], at: Int)
  /// A section that asks for the plural category of a number. It pushes nothing.
  case plural(MustacheName, PluralRule, isInverted: Bool, content: [CellNode], at: Int)
  /// A case of a choice: the child of an element with `data-plural`.
  case pluralCase(PluralChoice, content: [CellNode], at: Int)
  /// A boolean attribute, which is there if a value is truthy. Names are looked up as for a section.
  case truthy(MustacheName, attribute: String, at: Int)
  /// A partial, compiled for the context it is called in.
  case call(MustacheCall, context: KeptContext)
  /// The cell that replaces a drawn stand-in, compiled for the context it is in.
  /// - Parameter isBeside: whether the stand-in has an outlet, whose value is the cell's row.
  case include(MustacheCall, context: KeptContext, isBeside: Bool)
  /// A parent. Its overrides are in the tree's `overrides` at that index.
  case parent(MustacheCall, context: KeptContext, overrides: Int)
  case block(CellBlock)
  case outlet(OutletNode)
  /// Only in a start tag.
  case bind(BindNode)
  /// What is there only if a bound attribute, or a part of one, is.
  case presence(BindNode, [CellNode])
  /// The attribute that programs read of a value that is shown formatted.
  case machine(WrittenFormat)
  /// The words of a list before an element, or after the last.
  case listWords(WrittenFormat, isBehind: Bool)
  /// A value in the text of a bound attribute.
  case bound(
    MustacheName, Escaper, format: WrittenFormat? = nil, isBeside: Bool, attribute: String, at: Int)
  /// The start of an item of an attribute that is a list, which opens the attribute, or separates it from others.
  /// - Parameter goesOn: whether it is nothing if an item has begun since the last `listBreak`.
  case listItem(opening: [UInt8], separator: UInt8, goesOn: Bool = false)
  /// The place between two items.
  case listBreak
  /// Closes the attribute, if it was opened.
  case listEnd
  /// What is there only if the outlet of the element has no value, and its element is as drawn; or the inverse.
  case blind(isInverted: Bool, [CellNode])
  /// What is there only if all conditions hold.
  /// - Parameter isBeside: whether they are about an attribute of an element with an outlet.
  case conditions([Condition], isBeside: Bool = false, content: [CellNode], at: Int)
  /// An element with `data-missing`, and all inside it.
  case missing(MissingPolicy, [CellNode])
}

/// A block with its default content.
struct CellBlock {
  let name: String
  let at: Int
  /// An override runs here only if it was compiled and judged for this place.
  let place: BlockPlace
  var content: [CellNode]
  /// Whether the block starts a line.
  let opensLine: Bool
  /// The indentation of an override's lines here.
  let indentation: Range<Int>
}

/// What blocks of one name have in common to which the same override applies: the context in which they begin, and that in which
/// their default content ends, so that what follows is right after the override, too.
enum BlockPlace: Hashable {
  /// Element text of HTML, and any place of a text cell.
  case text
  /// As numbered by `Inheritance`.
  case markup(Int)
}

/// The content that a parent tag gives to blocks with one name at one place.
struct CellOverride {
  let name: String
  /// The index of its block in the parent tag: of several with the same name, the last one counts.
  let block: Int
  let place: BlockPlace
  let content: [CellNode]
  /// Whether the content starts a line.
  let startsLine: Bool
}

/// One template, compiled for one context.
struct CellTree {
  var nodes: [CellNode] = []
  /// The overrides of each parent tag.
  var overrides: [[CellOverride]] = []
}

extension CellNode {
  /// A section, or one that asks for the plural category of a number.
  static func section(
    _ name: MustacheName, isInverted: Bool, _ rule: PluralRule?, content: [CellNode], at: Int
  ) -> CellNode {
    guard let rule else { return .section(name, isInverted: isInverted, content: content, at: at) }
    return .plural(name, rule, isInverted: isInverted, content: content, at: at)
  }
}
