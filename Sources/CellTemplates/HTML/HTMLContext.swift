/// What the HTML parser would be doing at a place of a template: the state of the walk.
///
/// A value: two places are alike if their contexts are equal. A template called at a place is compiled for
/// it.
struct HTMLContext: Hashable {
  /// Element text at the top of a cell, and every place of a text cell.
  static let text = HTMLContext()

  var tokenizer = HTMLTokenizer()
  /// The content that is being read; in a tag, the content the tag stands in.
  var element = ElementContext()
  /// An unfinished character reference that element text ends in: `&`, `&l`, `&#3`.
  var reference: [UInt8] = []
  /// Right behind the start tag of `pre`, `textarea` or `listing`, where parsers drop a line end.
  var dropsLineEnd = false
  /// The tag that is being read.
  var tag: TagContext?
  /// The JSON of a data script.
  var json: JSONContext?

  var isElementText: Bool { tokenizer.mode == .text && tokenizer.content == .data }

  /// The part of the context that decides how a template is compiled; the rest decides only whether it may be
  /// called here.
  var compiled: HTMLContext {
    var context = self
    if isElementText {
      context = HTMLContext()
      context.element.namespace = element.namespace
      context.tokenizer.isForeign = tokenizer.isForeign
    } else if tag != nil {
      // What the tag holds already is compared behind the call; so few contexts serve many callers.
      context.element = ElementContext()
      context.element.open = element.open.intersection(.fallback)
      context.tag?.attributes = [:]
      context.tag?.contentHole = nil
    }
    return context
  }

  /// The same, wherever in a template the tag's attributes stand.
  var withoutPlaces: HTMLContext {
    var context = self
    context.tag?.forgetPlaces()
    return context
  }

  /// The context behind two ways; nil where they end at different places.
  func joined(with other: HTMLContext) -> HTMLContext? {
    if self == other { return self }
    guard let tokenizer = tokenizer.joined(with: other.tokenizer), element == other.element,
      json == other.json,
      (tag == nil) == (other.tag == nil)
    else { return nil }
    var both = self
    both.tokenizer = tokenizer
    if both.reference.isEmpty { both.reference = other.reference }
    both.dropsLineEnd = dropsLineEnd || other.dropsLineEnd
    if let tag, let otherTag = other.tag {
      guard let joined = tag.joined(with: otherTag) else { return nil }
      both.tag = joined
    }
    return both
  }
}

/// What is known of a tag that is being read.
struct TagContext: Hashable {
  let name: String
  let isEnd: Bool
  /// The attributes so far, each with its place in the template; -1 for those of a caller.
  var attributes: [String: Int] = [:]
  /// `<script type="application/json">`
  var isJSON = false
  /// `<meta http-equiv>`, and where its `content` holds a value.
  var hasRefreshName = false
  var contentHole: Int?
  var value: ValueContext?

  mutating func forgetPlaces() {
    attributes = attributes.mapValues { _ in -1 }
    if contentHole != nil { contentHole = -1 }
  }

  func joined(with other: TagContext) -> TagContext? {
    guard name == other.name, isEnd == other.isEnd, (value == nil) == (other.value == nil) else { return nil }
    var both = self
    both.attributes.merge(other.attributes) { own, _ in own }
    both.isJSON = isJSON && other.isJSON
    both.hasRefreshName = hasRefreshName || other.hasRefreshName
    both.contentHole = contentHole ?? other.contentHole
    if let value, let otherValue = other.value {
      guard let joined = value.joined(with: otherValue) else { return nil }
      both.value = joined
    }
    return both
  }
}
