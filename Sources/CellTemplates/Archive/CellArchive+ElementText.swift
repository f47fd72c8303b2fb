extension CellArchive {
  /// The same cells with every hole of markup escaped as if it stood in element text: what contextual escaping costs is
  /// counted against them. What they draw is not safe, and no server's.
  package func escapingAsElementText() -> CellArchive {
    var tables = tables()
    for place in tables.ops.indices where tables.ops[place].code == OpCode.value.rawValue {
      tables.ops[place].b = Self.elementText(tables.ops[place].b)
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
