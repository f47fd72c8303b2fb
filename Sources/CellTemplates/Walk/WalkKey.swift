/// One way of compiling one template.
struct WalkKey: Hashable {
  let template: Int
  /// A context as `HTMLContext.compiled` gives it.
  let context: HTMLContext
}

/// A place to override, as the walk met it.
struct BlockPlace: Hashable {
  /// By bytes, as names of Mustache are equal.
  let name: [UInt8]
  let entry: HTMLContext
  /// Where its default content ends: an override must end there too.
  let end: HTMLContext
}

/// A parent tag, as the walk met it: in one program the same if it stands and calls alike.
struct ParentPlace: Hashable {
  enum Callee: Hashable {
    case program(WalkKey)
    /// Any HTML cell.
    case anything
    case nothing
  }

  let at: Int
  let callee: Callee
  /// The context it stands in, compiled.
  let context: HTMLContext
  let blocks: [MustacheBlock]
  /// The outlets, sections and blocks it stands in.
  let nesting: Int

  static func == (left: ParentPlace, right: ParentPlace) -> Bool {
    left.at == right.at && left.callee == right.callee && left.context == right.context
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(at)
    hasher.combine(context)
  }
}

/// What the walk of one template, in one context, found.
struct WalkResult {
  var nodes: [CellNode]
  var end: HTMLContext
  var blocks = UniqueList<BlockPlace>()
  /// By their numbers in `CellNode.parent`.
  var parents = UniqueList<ParentPlace>()
  /// The numbers of those that this walk met.
  var met = UniqueList<Int>()
}
