/// One way of compiling one template.
struct WalkKey: Hashable {
  let template: Int
  /// A context as `HTMLContext.compiled` gives it.
  let context: HTMLContext
}

/// A place to override, as the walk met it.
struct BlockPlace: Hashable {
  let name: String
  let entry: HTMLContext
  /// Where its default content ends: an override must end there too.
  let end: HTMLContext
}

/// A parent tag, as the walk met it.
struct ParentPlace {
  enum Callee {
    case program(WalkKey)
    /// Any HTML cell.
    case anything
    case nothing
  }

  let callee: Callee
  let blocks: [MustacheBlock]
  /// The outlets, sections and blocks it stands in.
  let nesting: Int
}

/// What the walk of one template, in one context, found.
struct WalkResult {
  var nodes: [CellNode]
  var end: HTMLContext
  /// Each once, in the order of the walk.
  var blocks: [BlockPlace] = []
  /// In the order of their numbers in `CellNode.parent`.
  var parents: [ParentPlace] = []
}
