/// Attributes whose values are tokens, separated by white space: lists are joined by it.
enum TokenLists {
  static let names: Set<ExactString> = [
    "class", "part", "headers", "itemprop", "itemtype", "ping", "aria-controls", "aria-describedby",
    "aria-labelledby",
    "aria-owns",
  ]
}
