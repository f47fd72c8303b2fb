/// The state of an HTML parser at a place of a template, tracked by the walk.
///
/// A value type: two places are equivalent if their contexts are equal. A template is compiled for each
/// context it is called in.
struct HTMLContext: Hashable {
  /// Element text at the top level of a cell, and every place of a text cell.
  static let text = HTMLContext()

  var tokenizer = HTMLTokenizer()
  /// The content being parsed; inside a tag, the content that contains the tag.
  var element = ElementContext()
  /// The character reference that element text ends in.
  var reference = UnfinishedReference()
  /// Right after the start tag of `pre`, `textarea` or `listing`, where parsers drop a newline.
  var dropsLineEnd = false
  /// The tag being parsed.
  var tag: TagContext?
  /// The JSON of a data script.
  var json: JSONContext?

  var isElementText: Bool { tokenizer.mode == .text && tokenizer.content == .data }

  /// The attributes so far, if it is in a tag.
  var attributeCount: Int { tag?.attributes.count ?? 0 }

  /// The memory of a context that is kept, in pieces.
  var pieces: Int { LoadBudget.contextPieces + attributeCount }

  /// The part of the context that determines how a template is compiled. The rest only determines whether it
  /// may be called here.
  var compiled: HTMLContext {
    var context = self
    if isElementText {
      context = HTMLContext()
      context.element.namespace = element.namespace
      context.element.open = element.open.intersection(.inherited.union(.notText))
      context.tokenizer.isForeign = tokenizer.isForeign
    } else if tag != nil {
      // The attributes so far are checked after the call, so that few contexts serve many callers.
      context.element = ElementContext()
      context.element.open = element.open.intersection(.inherited.union(.fallback))
      context.tag?.attributes = [:]
      context.tag?.classDirectives = []
      context.tag?.contentHole = nil
    }
    return context
  }

  /// In a tag, the context without those elements around it that only decide whether markup may stand there.
  var withoutElements: HTMLContext {
    guard tag != nil else { return self }
    var context = self
    context.element = compiled.element
    return context
  }

  /// The context without the positions of the tag's attributes.
  var withoutPlaces: HTMLContext {
    var context = self
    context.tag?.forgetPlaces()
    return context
  }

  /// The context after two branches; nil if they end in incompatible places.
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

/// The state of a tag being parsed.
struct TagContext: Hashable {
  let name: ExactString
  let isEnd: Bool
  /// The attributes so far with their positions in the template; -1 for a caller's attributes.
  var attributes: [ExactString: Int] = [:]
  /// `<script type="application/json">`
  var isJSON = false
  /// Whether the tag is a `<meta http-equiv>`, and where its `content` has a value.
  var hasRefreshName = false
  var contentHole: Int?
  /// The attributes whose URL's origin a value may decide, of those that are judged beside others; `content` if a value that
  /// is not the owner's is in it.
  var openURLs: Set<ExactString> = []
  /// The directives of AngularJS among the words of its class.
  var classDirectives: Set<AngularDirective.InClass> = []
  var value: ValueContext?

  mutating func forgetPlaces() {
    attributes = attributes.mapValues { _ in -1 }
    if contentHole != nil { contentHole = -1 }
  }

  func joined(with other: TagContext) -> TagContext? {
    guard name == other.name, isEnd == other.isEnd, (value == nil) == (other.value == nil) else { return nil }
    var both = self
    both.attributes.merge(other.attributes) { own, _ in own }
    both.openURLs.formUnion(other.openURLs)
    both.classDirectives.formUnion(other.classDirectives)
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
