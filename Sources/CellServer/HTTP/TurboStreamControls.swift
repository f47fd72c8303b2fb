/// What a query says of Turbo Streams: what they do with cells, and where.
package struct TurboStreamControls: Sendable, Equatable {
  /// What a stream does with its content (Turbo's handbook, "Streams").
  package enum Action: String, Sendable, CaseIterable {
    case append, prepend, replace, update, before, after

    /// Whether `method="morph"` changes what it does.
    var mayMorph: Bool { self == .replace || self == .update }
  }

  /// How `replace` and `update` change the page; nil in a query means by replacing elements.
  package enum Method: String, Sendable, CaseIterable { case morph }

  package var action: Action?
  package var method: Method?
  /// The id of an element.
  package var target: String?
  /// A selector.
  package var targets: String?

  /// What stands for the row's id in `target` and `targets`.
  static let idMark = "{id}"
  private static let idBytes = Array(idMark.utf8)
  /// The most bytes of a target, and of an id in it.
  static let limitBytes = 4096
  /// How often a target may hold the row's id.
  static let idLimit = 8

  package init() {}

  /// Whether the query says where cells go.
  var hasTarget: Bool { target != nil || targets != nil }

  /// Throws `.badRequest` if the controls cannot be used.
  /// - Parameter needsTarget: whether no row can name a target of its own.
  func check(needsTarget: Bool) throws(Problem) {
    if target != nil, targets != nil {
      throw Problem(.badRequest, detail: "give either target, an id, or targets, a selector")
    }
    if let text = target ?? targets, Self.holdsTooManyIDs(text.utf8) {
      throw Problem(.badRequest, detail: "the target \(Self.tooManyIDs)")
    }
    if needsTarget, !hasTarget {
      throw Problem(
        .badRequest,
        detail: "turbo-stream needs a target: target=ID, or targets=SELECTOR; {id} in it is the row's id")
    }
    if needsTarget, action == nil {
      throw Problem(.badRequest, detail: "turbo-stream needs an action: \(Self.list)")
    }
    if let action, method == .morph, !action.mayMorph {
      throw Problem(.badRequest, detail: "method=morph is for the actions replace and update")
    }
  }

  /// Whether a target holds the row's id too often. Cost: linear.
  static func holdsTooManyIDs(_ text: some Collection<UInt8>) -> Bool {
    var (rest, count) = (text[...], 0)
    while let mark = idRange(in: rest) {
      count += 1
      if count > idLimit { return true }
      rest = rest[mark.upperBound...]
    }
    return false
  }

  /// Where a target holds the row's id first. Cost: linear.
  static func idRange<Text: Collection<UInt8>>(in text: Text) -> Range<Text.Index>? {
    var place = text.startIndex
    while let start = text[place...].firstIndex(of: UInt8(ascii: "{")) {
      let rest = text[start...]
      if rest.starts(with: idBytes) { return start..<rest.index(start, offsetBy: idBytes.count) }
      place = text.index(after: start)
    }
    return nil
  }

  /// What such a target has, for messages.
  static let tooManyIDs = "holds \(idMark) more than \(idLimit) times"

  /// The actions, for messages.
  static let list = Action.allCases.map(\.rawValue).joined(separator: ", ")
}
