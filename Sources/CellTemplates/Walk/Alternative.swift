/// A section in an attribute's value: one of the same name right behind it that is its opposite prints where
/// this one does not.
struct Alternative {
  let name: MustacheName
  let isInverted: Bool
  let before: ValueContext
  /// Where it has printed.
  let after: ValueContext

  init(_ name: MustacheName, _ isInverted: Bool, before: ValueContext, after: ValueContext) {
    self.name = name
    self.isInverted = isInverted
    self.before = before
    self.after = after
  }

  /// The value before its opposite, where that is what begins.
  func start(_ name: MustacheName, _ isInverted: Bool) -> ValueContext? {
    isInverted != self.isInverted && name == self.name ? before : nil
  }
}
