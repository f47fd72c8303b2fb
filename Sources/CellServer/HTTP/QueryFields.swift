/// The parameters of a query, for endpoints that know their names.
package struct QueryFields {
  private let values: [String: String]

  /// - Parameters:
  ///   - query: as sent, without the `?`; nil means that there is none.
  ///   - names: the parameters that the endpoint has.
  /// - Throws: `.badRequest` for any other parameter, one that is given twice, and wrong encoding.
  package init(_ query: String?, names: [String]) throws(Problem) {
    guard let query else {
      values = [:]
      return
    }
    var values: [String: String] = [:]
    let view = query.utf8
    let text = view.span
    var pairs = FormPairs()
    while let pair = pairs.next(in: text) {
      if pair.isEmpty { continue }
      guard let name = try? PercentDecoding.string(text, pair.name, plusIsSpace: true), names.contains(name),
        let value = try? PercentDecoding.string(text, pair.value, plusIsSpace: true), values[name] == nil
      else {
        throw Problem(
          .badRequest,
          detail:
            "\(FormFields.name(pair, text)) is wrong in this query: this path accepts \(names.joined(separator: ", ")), each once"
        )
      }
      values[name] = value
    }
    self.values = values
  }

  package subscript(name: String) -> String? { values[name] }
}
