/// How far an attribute's value has been read.
struct ValueContext: Hashable {
  private enum Language: Hashable {
    case plain
    case url(URLContext)
    case srcset(SourceSetContext)
    case style(StyleContext)
    case refused(String)
  }

  let attribute: String
  private var language: Language
  private var decoder = ReferenceDecoder()
  /// The value, references decoded; nil once a part of it is not static.
  private(set) var text: [UInt8]? = []

  init(_ attribute: String, _ kind: AttributeKind, schemes: URLSchemes) {
    self.attribute = attribute
    language =
      switch kind {
      case .plain: .plain
      case .url: .url(URLContext(.any, schemes: schemes))
      case .sameOriginURL: .url(URLContext(.sameOrigin, schemes: schemes))
      case .fragmentURL: .url(URLContext(.fragment, schemes: schemes))
      case .urlList: .url(URLContext(.list, schemes: schemes))
      case .srcset: .srcset(SourceSetContext(schemes: schemes))
      case .style: .style(StyleContext(isValue: false))
      case .styleValue: .style(StyleContext(isValue: true))
      case .refused(let reason): .refused(reason)
      }
  }

  /// The value so far ends in a character reference that what follows may complete.
  var isUnfinished: Bool { decoder.isUnfinished }

  /// A part of the value that is not always there begins or ends here.
  mutating func becomeDynamic() { text = nil }

  mutating func feed(_ bytes: ArraySlice<UInt8>) throws(Refusal) {
    var decoded: [UInt8] = []
    for byte in bytes { decoder.feed(byte, &decoded) }
    try read(decoded)
  }

  mutating func finish() throws(Refusal) {
    var decoded: [UInt8] = []
    decoder.finish(&decoded)
    try read(decoded)
  }

  private mutating func read(_ decoded: [UInt8]) throws(Refusal) {
    text? += decoded
    switch language {
    case .plain, .refused: return
    case .url(var url):
      for byte in decoded { try url.feed(byte) }
      language = .url(url)
    case .srcset(var srcset):
      for byte in decoded { try srcset.feed(byte) }
      language = .srcset(srcset)
    case .style(var style):
      for byte in decoded { try style.feed(byte) }
      language = .style(style)
    }
  }

  mutating func hole(on element: String) throws(Refusal) -> Escaper {
    text = nil
    switch language {
    case .plain: return .attribute
    case .refused(let reason):
      throw Refusal(
        .refusedAttribute, "no value may stand in \(attribute) of <\(element)>: \(reason)",
        hint: "write \(attribute) as static text, or put the value in another attribute, such as data-value")
    case .url(var url):
      let escaper = try url.hole()
      language = .url(url)
      return escaper
    case .srcset(var srcset):
      let escaper = try srcset.hole()
      language = .srcset(srcset)
      return escaper
    case .style(var style):
      let escaper = try style.hole()
      language = .style(style)
      return escaper
    }
  }

  /// A value right behind a lone `/` is followed by another: were it empty, the next would be a host.
  var needsSegment: Bool {
    switch language {
    case .url(let url): url.needsSegment
    case .srcset(let srcset): srcset.needsSegment
    default: false
    }
  }

  mutating func settleSegment(isCertain: Bool) throws(Refusal) {
    switch language {
    case .url(var url):
      try url.settleSegment(isCertain: isCertain)
      language = .url(url)
    case .srcset(var srcset):
      try srcset.settleSegment(isCertain: isCertain)
      language = .srcset(srcset)
    default: return
    }
  }

  func joined(with other: ValueContext) -> ValueContext? {
    guard attribute == other.attribute, decoder == other.decoder else { return nil }
    var both = self
    both.text = nil
    switch (language, other.language) {
    case (.plain, .plain), (.refused, .refused): break
    case (.url(let left), .url(let right)): both.language = .url(left.joined(with: right))
    case (.srcset(let left), .srcset(let right)): both.language = .srcset(left.joined(with: right))
    case (.style(let left), .style(let right)): both.language = .style(left.joined(with: right))
    default: return nil
    }
    return both
  }
}
