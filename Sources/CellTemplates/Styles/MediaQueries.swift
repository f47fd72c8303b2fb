/// A list of media queries, as in the attribute `media`.
struct MediaQueries {
  /// As written, without white space around it; nil for all media.
  let text: String?

  static let all = MediaQueries(valid: nil)
  private static let none = "not all"

  /// The first queries, to be joined with others; the rest is not looked at.
  private let queries: [Query]
  private static let joinedQueries = 16

  private init(valid text: String?) {
    self.text = text
    queries = (text ?? "").split(separator: ",", maxSplits: Self.joinedQueries).prefix(Self.joinedQueries).map
    {
      Query(String($0.drop(while: \.isWhitespace)))
    }
  }

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
    guard text != nil, other.text != nil else { return text == nil ? other : self }
    let pairs = queries.flatMap { left in other.queries.compactMap { left.joined(with: $0) } }
    return MediaQueries(valid: pairs.isEmpty ? Self.none : pairs.joined(separator: ", "))
  }

  /// One query of a list.
  private struct Query {
    /// The most bytes of a query that is joined with another: each of a list may be joined with each of another list.
    private static let joinedBytes = 1024

    let text: String
    private let isJoinable: Bool
    private let isFeature: Bool

    init(_ text: String) {
      self.text = text
      isJoinable =
        text.utf8.count <= Self.joinedBytes
        && !text.lowercased().split(separator: " ").contains { ["not", "or", "only"].contains($0) }
      isFeature = text.hasPrefix("(")
    }

    func joined(with right: Query) -> String? {
      guard isJoinable, right.isJoinable else { return text == right.text ? text : nil }
      if text == right.text { return text }
      if right.isFeature { return "\(text) and \(right.text)" }
      return isFeature ? "\(right.text) and \(text)" : nil
    }
  }
}
