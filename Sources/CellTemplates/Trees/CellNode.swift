/// A template after the walk: what is printed, as it stands, and for each value its escaper.
///
/// `ProgramWriter` turns it into steps and decides nothing about HTML any more.
indirect enum CellNode {
  /// A line of the template begins here: where a partial's or block's indentation goes, unless the line is
  /// blank.
  case lineStart(isBlank: Bool)
  case literal([UInt8])
  case value(MustacheName, Escaper, at: Int)
  case section(MustacheName, isInverted: Bool, content: [CellNode], at: Int)
  /// A partial, compiled for the context it is called in.
  case call(MustacheCall, context: HTMLContext)
  /// A parent; its overrides are the tree's `overrides` of that number.
  case parent(MustacheCall, context: HTMLContext, overrides: Int)
  case block(CellBlock)
  case outlet(OutletNode)
  /// In the start tag of an outlet's element alone.
  case bind(BindNode)
}

/// A place to override, with its default content.
struct CellBlock {
  let name: String
  let at: Int
  /// An override runs here only if it was compiled for this context.
  let context: HTMLContext
  var content: [CellNode]
  /// The place starts a line.
  let opensLine: Bool
  /// What the lines of an override take at this place.
  let indentation: Range<Int>
}

/// The content that a parent tag gives to blocks of one name which stand in one context.
struct CellOverride {
  let name: String
  /// The number of its block in the parent tag: of several of one name the last counts.
  let block: Int
  let context: HTMLContext
  let content: [CellNode]
  /// The content starts with a line of its own.
  let startsLine: Bool
}

/// One template, compiled for one context.
struct CellTree {
  var nodes: [CellNode] = []
  /// The overrides of each parent tag.
  var overrides: [[CellOverride]] = []
}
