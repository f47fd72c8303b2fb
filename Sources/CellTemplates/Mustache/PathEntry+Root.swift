extension PathEntry.Root {
  /// Where a name is looked up: among the names that loops provide, or in the row.
  init(of name: MustacheName) {
    self =
      switch name.segments[0] {
      case "." where name.isItem: .item
      case "@index": .index
      case "@first": .first
      case "@last": .last
      case "@odd": .odd
      case "@even": .even
      default: .name
      }
  }

  /// Whether loops provide the name, like `@index`.
  static func isLoopName(_ name: String) -> Bool {
    Self(of: MustacheName(segments: [name])) != .name && name != "."
  }
}
