/// A start tag, complete, as the walk hands it to who may change it.
struct StartTag {
  struct Attribute {
    let name: String
    let at: Int
    /// The value, references decoded; nil where a part of it is not static.
    let text: [UInt8]?
    /// The attribute's own nodes, among those of the list the tag stands in.
    let nodes: Range<Int>
    /// It stands outside of sections, blocks and partials.
    let isUnconditional: Bool
  }

  let name: String
  /// Where the tag begins in the source.
  let at: Int
  let attributes: [Attribute]
  /// All of the tag's nodes, from its `<` to its `>`.
  let nodes: Range<Int>
  /// It has no content and no end tag: a void element, or `<path/>`.
  let isEmpty: Bool
  /// Right behind the start tag of `pre`, `textarea` or `listing`, where parsers drop a line end.
  let dropsLineEnd: Bool
  /// Every attribute that the tag may hold, those of sections and partials too, each with its place.
  let places: [String: Int]

  func has(_ name: String) -> Bool { places[name] != nil }

  func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }
}

/// Who wants to change elements while a template is walked: nibs drop attributes and wrap elements into
/// outlets.
///
/// Both calls may replace nodes at the end of the list, but none before the tag's own. They are made once for
/// each pass of the walk; a pass whose nodes are thrown away (of a loop's body) is followed by another.
protocol ElementObserver: AnyObject {
  func startTag(_ tag: StartTag, in nodes: inout [CellNode], report: (Refusal, Int) -> Void)
  /// - Parameters:
  ///   - contentStart: where the element's content begins in the list, as it was when the start tag was told.
  ///   - endTagStart: where the nodes of the end tag begin; the list ends behind it. Equal to the count for
  ///     an element without an end tag.
  func endTag(of tag: StartTag, contentStart: Int, endTagStart: Int, in nodes: inout [CellNode])
}
