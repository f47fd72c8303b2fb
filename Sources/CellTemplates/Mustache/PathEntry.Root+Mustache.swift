extension PathEntry.Root {
  /// Where a name is looked up: among the names that loops provide, or in the row.
  init(of name: MustacheName) {
    self = name.isItem ? .item : Self(loopName: name.segments[0].utf8) ?? .name
  }
}
