/// A list of media queries, as in the attribute `media`.
struct MediaQueries {
  /// As written, without white space around it; nil for all media.
  let text: String?

  static let all = MediaQueries(text: nil, queries: [])
  private static let none = MediaQueries(text: "not all", queries: [Query("not all")])

  /// The first queries, to be joined with others; the rest is not looked at.
  private let queries: [Query]
  private static let joinedQueries = 16

  private init(text: String?, queries: [Query]) { (self.text, self.queries) = (text, queries) }

  /// A list that could end the rule around it is `not all`, as a malformed list is for browsers.
  init(_ written: String) {
    let text = written.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if text.isEmpty || text.lowercased() == "all" {
      self = .all
      return
    }
    var reader = StyleReader(text.utf8)
    var queries: [Query] = []
    var start = 0
    func endQuery(at end: Int) {
      if queries.count < Self.joinedQueries {
        queries.append(Query(bytes: reader.bytes[start..<end]))
      }
      start = end + 1
    }
    while let piece = reader.next() {
      switch piece.token {
      case .open(UInt8(ascii: "{")), .close(UInt8(ascii: "}")), .semicolon, .atKeyword, .mark, .broken:
        self = .none
        return
      case .other where piece.depth == 0 && reader.bytes[piece.range.lowerBound] == UInt8(ascii: ","):
        endQuery(at: piece.range.lowerBound)
      default: break
      }
      if piece.isStray {
        self = .none
        return
      }
    }
    guard reader.missingEnd(isWhole: false).isEmpty else {
      self = .none
      return
    }
    endQuery(at: reader.bytes.count)
    self.init(text: text, queries: queries)
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
    return pairs.isEmpty
      ? .none
      : MediaQueries(
        text: pairs.map(\.text).joined(separator: ", "), queries: Array(pairs.prefix(Self.joinedQueries)))
  }

  /// One query of a list.
  private struct Query {
    /// The most bytes of a query that is joined with another: each of a list may be joined with each of another list.
    private static let joinedBytes = 1024

    let text: String
    private let isJoinable: Bool
    private let isFeature: Bool

    /// - Parameter bytes: the query, with white space around it or without.
    init(bytes: ArraySlice<UInt8>) {
      self.init(String(String(decoding: bytes, as: UTF8.self).trimmingPrefix(while: \.isWhitespace)))
    }

    init(_ text: String) {
      self.text = text
      isJoinable =
        text.utf8.count <= Self.joinedBytes
        && !text.lowercased().split(separator: " ").contains { ["not", "or", "only"].contains($0) }
      isFeature = text.hasPrefix("(")
    }

    func joined(with right: Query) -> Query? {
      if text == right.text { return self }
      guard isJoinable, right.isJoinable else { return nil }
      if right.isFeature { return Query("\(text) and \(right.text)") }
      return isFeature ? Query("\(right.text) and \(text)") : nil
    }
  }
}
