/// Where two branches meet: the strictest reading of both.
extension URLContext {
  func joined(with other: URLContext) -> URLContext {
    if self == other { return self }
    var both = self
    both.segment = segment.joined(with: other.segment)
    if word != other.word { both.word = [] }
    both.mayHoldSeveral = mayHoldSeveral || other.mayHoldSeveral
    both.part = Self.joined(part, other.part)
    return both
  }

  static func joined(_ left: Part, _ right: Part) -> Part {
    // Two words may be different beginnings of a URL.
    if left == right, left != .word { return left }
    if case .host(let one) = left, case .host(let other) = right { return .host(one.joined(with: other)) }
    let parts: Set<Part> = [left, right]
    for part in [Part.refusedScheme, .doubleSlash, .maybeSlash] where parts.contains(part) { return part }
    for case .host(let host) in parts {
      // Its end must still be checked, or ignored slashes may follow.
      if host.endsOpen { return .host(host) }
      if host.content != .some { return .maybeSlash }
    }
    if parts.contains(.doubtfulHost) {
      return parts.subtracting([.doubtfulHost]).allSatisfy(\.isHostOrPath) ? .doubtfulHost : .maybeSlash
    }
    if parts.isSubset(of: [.path, .pathSlash]) { return .path }
    if parts.allSatisfy(\.isHostOrPath) { return .hostOrPath }
    if parts.isSubset(of: [.slash, .anySlash, .pathSlash]) { return .anySlash }
    let slashes: Set<Part> = [.slash, .anySlash, .slashHole, .slashHoles]
    if parts.isSubset(of: slashes.union([.path, .pathSlash])) { return .slashHoles }
    if !parts.isDisjoint(with: slashes) { return .maybeSlash }
    let opaque: Set<Part> = [.scheme(isSpecial: false), .schemeSlash, .path, .pathSlash]
    if parts.isSubset(of: opaque) { return .path }
    let schemes: Set<Part> = [.scheme(isSpecial: true), .scheme(isSpecial: false), .schemeSlash]
    return parts.isDisjoint(with: schemes) ? .unclear : .maybeSlash
  }
}
