/// The words of an attribute's value, separated by white space. They are found one at a time, because a value may have
/// millions.
struct HTMLWords: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>

  init(_ value: ArraySlice<UInt8>) { rest = value }

  mutating func next() -> ArraySlice<UInt8>? {
    rest = rest.drop(while: HTMLTokenizer.isSpace)
    if rest.isEmpty { return nil }
    let word = rest.prefix { !HTMLTokenizer.isSpace($0) }
    rest = rest[word.endIndex...]
    return word
  }
}
