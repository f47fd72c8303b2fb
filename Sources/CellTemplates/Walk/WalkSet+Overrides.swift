/// Overrides are compiled for each block that they apply to, which is known only after all programs are
/// walked. They may contain calls, blocks and parents.
extension WalkSet {
  /// An override in the source.
  struct OverrideID: Hashable {
    let template: Int
    let at: Int
  }

  /// Compiles all overrides, and checks those that apply to no block.
  func expandOverrides() {
    repeat {
      tellChanges()
      while !budget.isSpent, let (tag, block, numbers) = inheritance.nextOverride() {
        expand(numbers, of: tag, for: block)
        readQueue()
        tellChanges()
      }
    } while !budget.isSpent && walkIdleOverrides()
    checkDepths()
    checkSizes()
    for tags in parentTags.values {
      for tag in tags { tag.end() }
    }
  }

  private func tellChanges() {
    for key in changed where !budget.isSpent {
      guard let result = results[key] else { continue }
      for block in result.blocks.elements[toldBlocks[key, default: 0]...] { inheritance.add(block, to: key) }
      toldBlocks[key] = result.blocks.count
      addTags(of: key, isIdle: false)
    }
    changed = []
  }

  private func addTags(of key: WalkKey, isIdle: Bool) {
    let known = parentTags[key]?.count ?? 0
    for parent in results[key]?.parents.elements[known...] ?? [] {
      let names = parent.blocks.map { inheritance.number(ofName: Array($0.name.utf8)) }
      let tag = ParentTag(parent, of: key, program: inheritance.number(of: key), isIdle: isIdle, names: names)
      budget.keep(pieces: parent.context.pieces + LoadBudget.blockPieces * parent.blocks.count)
      parentTags[key, default: []].append(tag)
      inheritance.add(tag)
    }
  }

  /// Walks an override. Its parents are numbered with those of its program.
  private func walk(_ block: MustacheBlock, of tag: ParentTag, in context: HTMLContext) -> WalkResult {
    let template = templates[tag.key.template]
    budget.file = template.source.file
    var walker = Walker(
      template, number: tag.key.template, in: context, of: self, observer: template.observer)
    walker.outerNesting = tag.occurrence.nesting
    // Swapped out while it grows, so that it is not copied for each override.
    swap(&walker.parents, &results[tag.key]!.parents)
    var body = walker.walk(all: block.content)
    swap(&body.parents, &results[tag.key]!.parents)
    return body
  }

  /// Compiles a parent's overrides of one name for one block.
  /// - Parameter numbers: the indexes of the overrides.
  private func expand(_ numbers: [Int], of tag: ParentTag, for occurrence: BlockOccurrence) {
    let source = templates[tag.key.template].source
    for number in numbers {
      let block = tag.occurrence.blocks[number]
      let id = OverrideID(template: tag.key.template, at: block.at)
      overrideCounts[id, default: 0] += 1
      if overrideCounts[id, default: 0] > Self.contextLimit {
        report(
          Diagnostic(
            .nestedTooDeep, in: source, at: block.at,
            "\"\(block.name)\" is overridden in more than \(Self.contextLimit) different places in the markup",
            hint: "nest fewer parents, or override blocks in element text"))
        continue
      }
      let body = walk(block, of: tag, in: occurrence.entry.value)
      addTags(of: tag.key, isIdle: tag.isIdle)
      inheritance.add(
        body.blocks.elements, body.met.elements.map { parentTags[tag.key]![$0] }, inOverrideOf: tag,
        for: occurrence)
      budget.spend(occurrence.work)
      let (end, bodyEnd) = (occurrence.end.value, body.end.value)
      if end.joined(with: bodyEnd) != end {
        report(
          Diagnostic(
            .crossingSection, in: source, at: block.at,
            "this content of \"\(block.name)\" ends at a different place in the markup than the block"
              + " it overrides",
            hint: "end it like the block's default content, without additional attributes"))
      }
      let override = CellOverride(
        name: block.name, block: number, place: inheritance.place(of: occurrence), content: body.nodes,
        startsLine: block.contentStartsLine)
      tag.keep(override, inner: body.met.elements)
    }
  }

  // MARK: Overrides of nothing

  /// Checks overrides that apply to no block, as if there were one in place of the parent tag. Returns false
  /// if all had been checked.
  private func walkIdleOverrides() -> Bool {
    var isNew = false
    for key in keys {
      for tag in parentTags[key] ?? [] {
        for block in tag.occurrence.blocks {
          let id = OverrideID(template: key.template, at: block.at)
          guard overrideCounts[id] == nil, idleOverrides.insert(id).inserted else { continue }
          isNew = true
          walkIdle(block, tag)
        }
      }
    }
    return isNew
  }

  private func walkIdle(_ block: MustacheBlock, _ tag: ParentTag) {
    let source = templates[tag.key.template].source
    if case .program(let callee) = tag.occurrence.callee, results[callee] != nil {
      report(
        Diagnostic(
          .unknownBlock, in: source, at: block.at,
          "no block \"\(block.name)\" exists in the inherited cells; this prints nothing",
          hint: "fix the name, or add {{$\(block.name)}}{{/\(block.name)}} to the parent"))
    }
    let body = walk(block, of: tag, in: tag.occurrence.context.value)
    addTags(of: tag.key, isIdle: true)
    if tag.occurrence.context.value.joined(with: body.end.value) == nil {
      report(
        Diagnostic(
          .crossingSection, in: source, at: block.at,
          "this content of \"\(block.name)\" ends at a different place in the markup than it starts",
          hint: "start and end it in the same element, attribute and value"))
    }
    readQueue()
  }

  // MARK: Sizes

  private func checkDepths() {
    for key in inheritance.tooDeep.elements {
      guard let tag = parentTags[key]?.first else { continue }
      report(
        Diagnostic(
          .nestedTooDeep, in: templates[key.template].source, at: tag.occurrence.at,
          "there are more than \(Inheritance.depthLimit) parents between an override and its block",
          hint: "use fewer levels of inheritance"))
    }
  }

  /// The most nodes in the overrides of one program: for each byte of its source, and in addition to that.
  private static let growthLimit = 8
  private static let sizeLimit = 100_000

  /// Refuses nested parents with too many compiled bodies, one for each way of reaching them.
  private func checkSizes() {
    for key in keys {
      guard let tags = parentTags[key] else { continue }
      let limit = Self.sizeLimit + Self.growthLimit * templates[key.template].source.bytes.count
      var sizes: [Int?] = Array(repeating: nil, count: tags.count)
      for number in tags.indices { _ = size(number, of: tags, &sizes, limit) }
    }
  }

  /// At most `limit`. Recursion is as deep as parents nest in the source.
  private func size(_ number: Int, of tags: [ParentTag], _ sizes: inout [Int?], _ limit: Int) -> Int {
    if let known = sizes[number] { return known }
    let tag = tags[number]
    var sum = 1
    var isInnerTooLarge = false
    for (body, inner) in zip(tag.bodies, tag.inner) {
      sum = min(limit, sum + body.content.deepCount)
      for number in inner {
        let size = size(number, of: tags, &sizes, limit)
        if size == limit { isInnerTooLarge = true }
        sum = min(limit, sum + size)
      }
    }
    sizes[number] = sum
    if sum == limit, !isInnerTooLarge {
      report(
        Diagnostic(
          .nestedTooDeep, in: templates[tag.key.template].source, at: tag.occurrence.at,
          "the overrides in this parent are nested too deep: each is needed in too many places in the markup",
          hint: "move the inner parents into a partial"))
    }
    return sum
  }

  /// What a template prints in a context that it was walked in.
  func tree(_ key: WalkKey) -> CellTree {
    let template = templates[key.template]
    if template.source.mode == .text { return PlainTree.tree(of: template.nodes, in: template.source) }
    guard let result = results[key] else { preconditionFailure("the program was never walked") }
    let overrides = (parentTags[key] ?? []).map { $0.bodies.sorted { $0.block < $1.block } }
    return CellTree(nodes: result.nodes, overrides: overrides)
  }
}

extension [CellNode] {
  /// The number of nodes, including nested ones.
  var deepCount: Int {
    reduce(0) { sum, node in
      switch node {
      case .lineStart, .literal, .value, .call, .parent, .bound, .machine, .listWords, .listItem, .listBreak,
        .listEnd,
        .include,
        .truthy:
        sum + 1
      case .section(_, _, let content, _), .plural(_, _, _, let content, _): sum + 1 + content.deepCount
      case .block(let block): sum + 1 + block.content.deepCount
      case .outlet(let outlet):
        sum + 1 + outlet.startTag.deepCount + (outlet.content ?? []).deepCount + outlet.endTag.deepCount
      case .bind(let bind): sum + 1 + bind.designed.deepCount
      case .pluralCase(_, let content, _), .conditions(_, _, let content, _), .missing(_, let content),
        .presence(_, let content),
        .blind(_, let content):
        sum + 1 + content.deepCount
      }
    }
  }
}
