/// A complete start tag, as passed to an `ElementObserver`.
struct StartTag {
  struct Attribute {
    let name: ExactString
    let at: Int
    /// The value with references decoded; nil if part of it is not static, or in a block.
    let text: [UInt8]?
    /// The attribute's own nodes, as a range of the list that contains the tag.
    let nodes: Range<Int>
    /// Whether it is outside sections, blocks and partials.
    let isUnconditional: Bool
  }

  let name: ExactString
  /// The start of the tag in the source.
  let at: Int
  let attributes: [Attribute]
  /// All of the tag's nodes, from its `<` to its `>`.
  let nodes: Range<Int>
  /// Whether it has no content and no end tag: a void element, or `<path/>`.
  let isEmpty: Bool
  /// Whether it comes right after the start tag of `pre`, `textarea` or `listing`, where parsers drop a
  /// newline.
  let dropsLineEnd: Bool
  /// Whether it is inside an element that shows white space as written: `pre`, `textarea`.
  let keepsWhiteSpace: Bool
  /// What the elements around it make libraries do.
  let inside: ElementContext.Open
  /// Every attribute that the tag may have, including those in sections and partials, with its offset.
  let positions: [ExactString: Int]

  /// The directives of AngularJS among the words of its class.
  let classDirectives: Set<AngularDirective.InClass>

  func has(_ name: ExactString) -> Bool { positions[name] != nil }

  func attribute(_ name: ExactString) -> Attribute? { attributes.first { $0.name == name } }
}

/// Changes elements during the walk of a template: nibs remove attributes and wrap elements into outlets.
///
/// Both methods may replace nodes at the end of the list, but none before the tag's own. They are called once
/// in each pass of the walk. A pass over a loop's body may be discarded; another one follows.
protocol ElementObserver: AnyObject {
  /// The cell that replaces an element; nil if it is printed. Called where the element ends.
  func standIn(for tag: StartTag) -> MustacheCall.Target?
  func startTag(_ tag: StartTag, in nodes: inout [CellNode], report: (Refusal, Int) -> Void)
  /// - Parameters:
  ///   - contentStart: the start of the element's content in the list, as it was when `startTag` was called.
  ///   - endTagStart: the start of the end tag's nodes; the list ends after them. Equal to the count for an
  ///     element without an end tag.
  func endTag(
    of tag: StartTag, contentStart: Int, endTagStart: Int, in nodes: inout [CellNode],
    report: (Refusal, Int) -> Void)
}
