/// Writes a start tag from its parts, so that attributes can be omitted or replaced.
struct StartTagWriter {
  /// The start of the tag in the source.
  let at: Int
  /// Whether the element has an outlet.
  let isBeside: Bool
  private(set) var nodes: [CellNode] = []
  /// White space reported as part of the previous attribute, which has no value.
  private var carried: [UInt8] = []
  /// Whether the next attribute must be separated from what precedes it.
  private var needsSpace = false

  init(at: Int, isBeside: Bool) { (self.at, self.isBeside) = (at, isBeside) }

  /// Appends what precedes an attribute: the tag's name, white space, sections.
  mutating func gap(_ gap: ArraySlice<CellNode>) {
    needsSpace = gap.isEmpty && carried.isEmpty
    if !carried.isEmpty { nodes.append(.literal(carried)) }
    carried = []
    nodes += gap.map { node in
      guard case .literal(let bytes) = node else { return node }
      return .literal(Self.spaced(bytes))
    }
  }

  /// Replaces slashes between attributes by spaces, because one right before the `>` would close the element.
  private static func spaced(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { $0 == UInt8(ascii: "/") ? 0x20 : $0 }
  }

  /// Omits an attribute and the white space before it.
  mutating func drop() {
    trim()
    needsSpace = false
  }

  mutating func attribute(_ own: [CellNode]) {
    if needsSpace { nodes.append(.literal([0x20])) }
    nodes += carrying(own)
  }

  mutating func bind(_ attribute: BoundAttribute, designed own: [CellNode]) {
    trim()
    nodes += attribute.nodes(drawn: [.literal([0x20])] + carrying(own), isBeside: isBeside, at: at)
  }

  /// An attribute without its trailing white space, which is kept for what follows.
  private mutating func carrying(_ own: [CellNode]) -> [CellNode] {
    guard case .literal(var bytes)? = own.last else { return own }
    let end = bytes.lastIndex { !HTMLTokenizer.isSpace($0) }.map { $0 + 1 } ?? 0
    carried = bytes[end...] + carried
    bytes.removeSubrange(end...)
    return own.dropLast() + [.literal(bytes)]
  }

  /// Appends the end of the tag, preceded by the attributes that are not in the source.
  mutating func end(_ end: ArraySlice<CellNode>, bound: [BoundAttribute]) {
    // A tag ends in literal bytes, unless its markup is invalid, which was reported.
    guard case .literal(var bytes)? = end.last else {
      gap(end)
      return
    }
    gap(end.dropLast())
    var closing: [UInt8] = []
    if bytes.last == UInt8(ascii: ">") { closing = [bytes.removeLast()] }
    // Separated from what precedes it, so that it does not become part of an unquoted value.
    if bytes.last == UInt8(ascii: "/") { closing = [0x20, bytes.removeLast()] + closing }
    if !bytes.isEmpty { nodes.append(.literal(Self.spaced(bytes))) }
    trim()
    for attribute in bound { nodes += attribute.nodes(drawn: [], isBeside: isBeside, at: at) }
    nodes.append(.literal(closing))
  }

  /// Removes trailing white space.
  private mutating func trim() {
    while let last = nodes.last {
      switch last {
      case .lineStart: nodes.removeLast()
      case .literal(var bytes):
        nodes.removeLast()
        while let byte = bytes.last, HTMLTokenizer.isSpace(byte) { bytes.removeLast() }
        if !bytes.isEmpty {
          nodes.append(.literal(bytes))
          return
        }
      default: return
      }
    }
  }
}
