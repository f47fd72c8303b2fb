extension CellArchive {
  /// A copy in which every hole is escaped as element text, to measure the cost of contextual escaping. Its
  /// output is not safe and must not be served.
  package func escapingAsElementText() -> CellArchive {
    var tables = tables()
    for place in tables.ops.indices where tables.ops[place].code == OpCode.value.rawValue {
      let codes = tables.ops[place].b
      tables.ops[place].b = Self.elementText(codes & 0xFF) | codes & ~0xFF
    }
    for place in tables.outlets.indices {
      tables.outlets[place].escaper = Self.elementText(tables.outlets[place].escaper)
    }
    for place in tables.binds.indices {
      tables.binds[place].escaper = Self.elementText(tables.binds[place].escaper)
    }
    return CellArchive(trusted: tables)
  }

  private static func elementText(_ code: UInt32) -> UInt32 {
    switch Escaper(rawValue: code) {
    case .attribute, .url, .urlPart, .urlComponent, .urlAfterSlash, .urlSegment, .sameOriginURL, .fragmentURL,
      .urlList,
      .srcset, .srcsetDescriptor, .srcsetURL, .srcsetPart, .srcsetAfterSlash, .srcsetSegment, .urlHost,
      .style:
      Escaper.html.rawValue
    case .none?, .rawHTML, .text, .html, .json, .discard, nil: code
    }
  }
}
