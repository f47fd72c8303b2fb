/// A list of media queries, as in the attribute `media`.
struct MediaQueries {
  /// As written, without white space around it; nil for all media.
  let text: String?

  static let all = MediaQueries(valid: nil)
  private static let none = "not all"

  private init(valid text: String?) { self.text = text }

  /// A list that could end the rule around it is `not all`, as a malformed list is for browsers.
  init(_ written: String) {
    let text = written.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if text.isEmpty || text.lowercased() == "all" {
      self = .all
      return
    }
    var reader = StyleReader(text.utf8)
    while let piece = reader.next() {
      switch piece.token {
      case .open(UInt8(ascii: "{")), .close(UInt8(ascii: "}")), .semicolon, .atKeyword, .mark, .broken:
        self.init(valid: Self.none)
        return
      default: break
      }
      if piece.isStray {
        self.init(valid: Self.none)
        return
      }
    }
    self.init(valid: reader.missingEnd(isWhole: false).isEmpty ? text : Self.none)
  }

  /// The rules within these media.
  func wrapping(_ rules: [UInt8]) -> [UInt8] {
    guard let text, !rules.isEmpty else { return rules }
    return Array("@media \(text) {\n".utf8) + rules + Array("\n}\n".utf8)
  }

  /// Media that both lists name. A pair of queries that cannot be joined is left out.
  func and(_ other: MediaQueries) -> MediaQueries {
    guard let text, let more = other.text else { return text == nil ? other : self }
    let pairs = Self.queries(text).prefix(Self.joinedQueries).flatMap { left in
      Self.queries(more).prefix(Self.joinedQueries).compactMap { Self.joined(left, $0) }
    }
    return MediaQueries(valid: pairs.isEmpty ? Self.none : pairs.joined(separator: ", "))
  }

  /// The most queries of a list that are joined with others.
  private static let joinedQueries = 16

  private static func queries(_ list: String) -> [String] {
    list.split(separator: ",").map { String($0.drop(while: \.isWhitespace)) }
  }

  private static func joined(_ left: String, _ right: String) -> String? {
    if left == right { return left }
    let isJoinable = { (query: String) in
      !query.lowercased().split(separator: " ").contains { ["not", "or", "only"].contains($0) }
    }
    guard isJoinable(left), isJoinable(right) else { return nil }
    if right.hasPrefix("(") { return "\(left) and \(right)" }
    return left.hasPrefix("(") ? "\(right) and \(left)" : nil
  }
}
