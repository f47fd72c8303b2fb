/// The state of parsing an attribute's value.
struct ValueContext: Hashable {
  private enum Language: Hashable {
    /// Every value goes through one escaper, wherever it is.
    case fixed(Escaper)
    /// The same, of a class, whose words may be directives.
    case classes(Escaper, AngularWords)
    case url(URLContext)
    case srcset(SourceSetContext)
    /// Indirect, because the walk keeps several contexts for each nested section on its stack.
    indirect case style(StyleContext)
    /// Text that only the owner decides.
    case ownerOnly
    case selector(SelectorContext)
    case refused(String)
  }

  let attribute: ExactString
  private var language: Language
  private var decoder = ReferenceDecoder()
  /// The value with references decoded; nil once part of it is not static.
  private(set) var text: [UInt8]? = []

  init(_ attribute: ExactString, _ kind: AttributeKind, schemes: URLSchemes) {
    self.attribute = attribute
    language =
      switch kind {
      case .fixed(let escaper) where attribute == "class": .classes(escaper, AngularWords())
      case .fixed(let escaper): .fixed(escaper)
      case .url: .url(URLContext(.any, schemes: schemes))
      case .sameOriginURL: .url(URLContext(.sameOrigin, schemes: schemes))
      case .fragmentURL: .url(URLContext(.fragment, schemes: schemes))
      case .loadedURL: .url(URLContext(.loaded, schemes: schemes))
      case .loadedOrFragmentURL: .url(URLContext(.loadedOrFragment, schemes: schemes))
      case .urlList: .url(URLContext(.list, schemes: schemes))
      case .srcset: .srcset(SourceSetContext(schemes: schemes))
      case .style: .style(StyleContext(isValue: false, schemes: schemes))
      case .styleValue: .style(StyleContext(isValue: true, schemes: schemes))
      case .ownerOnly: .ownerOnly
      case .selector: .selector(SelectorContext())
      case .refused(let reason): .refused(reason)
      }
  }

  /// Whether only the request's owner may decide the value.
  var isOwnersOnly: Bool { language == .ownerOnly }

  /// Whether the value ends in a character reference that could continue.
  var isUnfinished: Bool { decoder.isUnfinished }

  /// Whether it is a URL, and a value at this point may decide its origin.
  var mayDecideOrigin: Bool { if case .url(let url) = language { url.mayDecideOrigin } else { false } }

  /// The directives of AngularJS so far, if it is a class.
  var classDirectives: [AngularDirective.InClass] {
    if case .classes(_, let words) = language { words.directives } else { [] }
  }

  /// Called where a part of the value that is not always present starts or ends.
  mutating func becomeDynamic() {
    text = nil
    switch language {
    case .classes(let escaper, var words):
      words.branch()
      language = .classes(escaper, words)
    case .url(var url):
      url.branch()
      language = .url(url)
    case .srcset(var srcset):
      srcset.branch()
      language = .srcset(srcset)
    case .style(var style):
      style.branch()
      language = .style(style)
    case .selector(var selector):
      selector.branch()
      language = .selector(selector)
    case .fixed, .ownerOnly, .refused: return
    }
  }

  /// Called where a block ends, whose overrides may print something else.
  /// - Parameter entry: the value where it begins.
  mutating func endBlock(begunIn entry: ValueContext) {
    guard case .classes(let escaper, var words) = language, case .classes(_, let before) = entry.language
    else { return }
    words.endBlock(begunIn: before)
    language = .classes(escaper, words)
  }

  /// - Parameter isFollowed: whether a value or a section follows.
  /// - Returns: where in `bytes` quotes are to be written, as indexes of what they precede.
  @discardableResult
  mutating func feed(_ bytes: ArraySlice<UInt8>, isFollowed: Bool = false) throws(Refusal) -> [Int] {
    var decoded: [UInt8] = []
    guard case .style = language else {
      for byte in bytes { decoder.feed(byte, &decoded) }
      try read(decoded)
      return []
    }
    // Where what was decoded begins in `bytes`.
    var starts: [Int] = []
    var start = bytes.startIndex
    for position in bytes.indices {
      let isOfReference = decoder.feed(bytes[position], &decoded)
      let isItself = !isOfReference && !decoder.isUnfinished
      starts += repeatElement(start, count: decoded.count - starts.count - (isItself ? 1 : 0))
      if isItself { starts.append(position) }
      if !isOfReference { start = position }
    }
    return try readStyle(decoded, isFollowed: isFollowed).map { starts[$0] }
  }

  /// Whether a quote is to be written before the value or branch that comes; true once.
  mutating func takeQuote() -> Bool {
    guard case .style(var style) = language else { return false }
    defer { language = .style(style) }
    return style.takeQuote()
  }

  mutating func finish() throws(Refusal) {
    var decoded: [UInt8] = []
    decoder.finish(&decoded)
    try read(decoded)
    switch language {
    case .url(let url): try url.finish()
    case .srcset(let srcset): try srcset.finish()
    case .style(let style): try style.finish()
    case .fixed, .classes, .ownerOnly, .selector, .refused: return
    }
  }

  private mutating func read(_ decoded: [UInt8]) throws(Refusal) {
    if case .style = language {
      _ = try readStyle(decoded, isFollowed: false)
      return
    }
    text? += decoded
    switch language {
    case .fixed, .ownerOnly, .refused, .style: return
    case .classes(let escaper, var words):
      words.read(decoded)
      language = .classes(escaper, words)
    case .selector(var selector):
      for byte in decoded { selector.feed(byte) }
      language = .selector(selector)
    // A refusal is reported once; the contexts continue after it.
    case .url(var url):
      defer { language = .url(url) }
      for byte in decoded { try url.feed(byte) }
    case .srcset(var srcset):
      defer { language = .srcset(srcset) }
      for byte in decoded { try srcset.feed(byte) }
    }
  }

  /// - Returns: before which of the bytes quotes are to be written.
  private mutating func readStyle(_ decoded: [UInt8], isFollowed: Bool) throws(Refusal) -> [Int] {
    guard case .style(var style) = language else { return [] }
    text? += decoded
    // Cleared first, so that its brackets are not copied for each run.
    language = .fixed(.discard)
    defer { language = .style(style) }
    var quotes: [Int] = []
    for position in decoded.indices {
      try style.feed(decoded[position], before: decoded[position...].dropFirst(), isFollowed: isFollowed)
      if style.takeQuote() { quotes.append(position) }
    }
    return quotes
  }

  /// - Parameter isOwners: whether the value is the owner's.
  mutating func hole(on element: ExactString, isOwners: Bool = false) throws(Refusal) -> Escaper {
    text = nil
    switch language {
    case .fixed(let escaper): return escaper
    case .classes(let escaper, var words):
      words.branch()
      language = .classes(escaper, words)
      return escaper
    case .ownerOnly:
      if isOwners { return .attribute }
      throw Refusal(
        .refusedAttribute, "\(attribute) of <\(element)> lets what the row says run",
        hint: "take it from the owner: \(attribute)=\"{{owner.\(attribute)}}\"")
    case .selector(var selector):
      defer { language = .selector(selector) }
      if isOwners {
        selector.becomeUnknown()
        return .attribute
      }
      if selector.isInName { return .selectorName }
      throw Refusal(
        .refusedAttribute,
        "\(attribute) of <\(element)> would let a row name any element for its text, such as a style sheet",
        hint:
          "begin the name static, as in beforeend:#list-{{id}}, or take all of it from the owner: {{owner.oob}}"
      )
    case .refused(let reason):
      throw Refusal(
        .refusedAttribute, "values are not allowed in \(attribute) of <\(element)>: \(reason)",
        hint: AttributePolicy.hint(for: attribute, on: element))
    case .url(var url):
      defer { language = .url(url) }
      return try url.hole()
    case .srcset(var srcset):
      defer { language = .srcset(srcset) }
      return try srcset.hole()
    case .style(var style):
      defer { language = .style(style) }
      return try style.hole()
    }
  }

  /// A change required to the hole before what was fed last.
  var amendment: URLContext.Amendment? {
    switch language {
    case .url(let url): url.amendment
    case .srcset(let srcset): srcset.amendment
    case .style(let style): style.amendment
    case .fixed, .classes, .ownerOnly, .selector, .refused: nil
    }
  }

  /// Called when the change was made or reported.
  mutating func settle() {
    switch language {
    case .url(var url):
      url.settle()
      language = .url(url)
    case .srcset(var srcset):
      srcset.settle()
      language = .srcset(srcset)
    case .style(var style):
      style.settle()
      language = .style(style)
    case .fixed, .classes, .ownerOnly, .selector, .refused: return
    }
  }

  func joined(with other: ValueContext) -> ValueContext? {
    guard attribute == other.attribute, decoder == other.decoder else { return nil }
    var both = self
    both.text = nil
    switch (language, other.language) {
    case (.fixed(let left), .fixed(let right)) where left == right: break
    case (.classes(let left, let words), .classes(let right, let others)) where left == right:
      both.language = .classes(left, words.joined(with: others))
    case (.ownerOnly, .ownerOnly), (.refused, .refused): break
    case (.selector(let left), .selector(let right)): both.language = .selector(left.joined(with: right))
    case (.url(let left), .url(let right)): both.language = .url(left.joined(with: right))
    case (.srcset(let left), .srcset(let right)): both.language = .srcset(left.joined(with: right))
    case (.style(let left), .style(let right)): both.language = .style(left.joined(with: right))
    default: return nil
    }
    return both
  }
}
