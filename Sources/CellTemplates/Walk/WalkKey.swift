/// One way of compiling one template.
struct WalkKey: Hashable {
  let template: Int
  /// A context as returned by `HTMLContext.compiled`.
  let context: KeptContext
}

/// A block as encountered by the walk.
struct BlockOccurrence: Hashable {
  /// As bytes, like in comparisons of Mustache names.
  let name: [UInt8]
  let entry: KeptContext
  /// Where its default content ends; an override must end there too.
  let end: KeptContext

  /// What is the same for blocks to which the same override applies: each is walked for each block, but compiled once for all of
  /// these. In element text, what follows does not depend on it.
  var judged: BlockOccurrence {
    guard entry.value.isElementText else {
      return BlockOccurrence(
        name: name, entry: KeptContext(entry.value.withoutElements),
        end: KeptContext(end.value.withoutElements))
    }
    let context = KeptContext(entry.value.compiled)
    return BlockOccurrence(name: name, entry: context, end: context)
  }

  /// The memory of its contexts, in pieces.
  var pieces: Int { entry.pieces + end.pieces }

  /// The work to compare or hash it, in the budget's units.
  var work: Int { Walker.unitsPerName * (entry.attributeCount + end.attributeCount) }
}

/// A parent tag as encountered by the walk. Within one program, equal if position, callee and context are
/// equal.
struct ParentOccurrence: Hashable {
  enum Callee: Hashable {
    case program(WalkKey)
    /// Any HTML cell, by a dynamic name.
    case anything
    case nothing
  }

  let at: Int
  let callee: Callee
  /// The compiled context of the tag.
  let context: KeptContext
  let blocks: [MustacheBlock]
  /// The number of outlets, sections and blocks around it.
  let nesting: Int

  static func == (left: ParentOccurrence, right: ParentOccurrence) -> Bool {
    left.at == right.at && left.callee == right.callee && left.context == right.context
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(at)
    hasher.combine(context)
  }
}

/// The result of walking one template in one context.
struct WalkResult {
  var nodes: [CellNode]
  var end: KeptContext
  var blocks = UniqueList<BlockOccurrence>()
  /// Numbered as in `CellNode.parent`.
  var parents = UniqueList<ParentOccurrence>()
  /// The numbers of the parents encountered by this walk.
  var met = UniqueList<Int>()
}
