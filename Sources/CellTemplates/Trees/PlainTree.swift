/// Converts the Mustache tree of a text cell directly to a cell's tree. Contexts do not matter in text.
struct PlainTree {
  private let source: TemplateSource
  private var overrides: [[CellOverride]] = []

  static func tree(of nodes: [MustacheNode], in source: TemplateSource) -> CellTree {
    var plain = PlainTree(source: source)
    let mapped = plain.map(nodes)
    return CellTree(nodes: mapped, overrides: plain.overrides)
  }

  private init(source: TemplateSource) {
    self.source = source
  }

  private mutating func map(_ nodes: [MustacheNode]) -> [CellNode] {
    var mapped: [CellNode] = []
    mapped.reserveCapacity(nodes.count)
    for node in nodes { mapped.append(map(node)) }
    return mapped
  }

  private mutating func map(_ node: MustacheNode) -> CellNode {
    switch node {
    case .lineStart(let isBlank): return .lineStart(isBlank: isBlank)
    case .text(let range): return .literal(Array(source.bytes[range]))
    case .variable(let name, let isRaw, let format, let at):
      return .value(name, isRaw ? .none : .text, format: format, at: at)
    case .section(let name, let isInverted, let rule, let content, let at):
      if let rule { return .plural(name, rule, isInverted: isInverted, content: map(content), at: at) }
      return .section(name, isInverted: isInverted, content: map(content), at: at)
    case .partial(let call): return .call(call, context: .text)
    case .parent(let call, let blocks):
      let bodies = blocks.enumerated().map { index, block in
        CellOverride(
          name: block.name, block: index, place: .text, content: map(block.content),
          startsLine: block.contentStartsLine)
      }
      overrides.append(bodies)
      return .parent(call, context: .text, overrides: overrides.count - 1)
    case .block(let block):
      return .block(
        CellBlock(
          name: block.name, at: block.at, place: .text, content: map(block.content),
          opensLine: block.opensLine,
          indentation: block.indentation))
    }
  }
}
