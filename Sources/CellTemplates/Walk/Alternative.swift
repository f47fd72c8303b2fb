/// A section in an attribute's value. A section of the same name right after it with the opposite condition
/// prints exactly if this one does not.
struct Alternative {
  let name: MustacheName
  let isInverted: Bool
  let before: ValueContext
  /// The value after the section's content.
  let after: ValueContext

  init(_ name: MustacheName, _ isInverted: Bool, before: ValueContext, after: ValueContext) {
    self.name = name
    self.isInverted = isInverted
    self.before = before
    self.after = after
  }

  /// The value before the section, if the next one is its opposite.
  func start(_ name: MustacheName, _ isInverted: Bool) -> ValueContext? {
    let isOpposite = isInverted != self.isInverted && !name.isOfPlural && !self.name.isOfPlural
    return isOpposite && name == self.name ? before : nil
  }
}
