extension CellArchive {
  /// A copy in which every hole is escaped as element text, to measure the cost of contextual escaping. Its
  /// output is not safe and must not be served.
  package func escapingAsElementText() -> CellArchive {
    guard var tables = try? ArchiveFormat.decode(encoded()) else {
      preconditionFailure("an archive's own bytes can be read")
    }
    for position in tables.ops.indices where tables.ops[position].code == OpCode.value.rawValue {
      let codes = tables.ops[position].b
      tables.ops[position].b = Self.elementText(codes & 0xFF) | codes & ~0xFF
    }
    for position in tables.outlets.indices {
      tables.outlets[position].escaper = Self.elementText(tables.outlets[position].escaper)
    }
    for position in tables.binds.indices {
      tables.binds[position].escaper = Self.elementText(tables.binds[position].escaper)
    }
    return CellArchive(trusted: tables)
  }

  private static func elementText(_ code: UInt32) -> UInt32 {
    let isOfAttributes = Escaper(rawValue: code)?.context.isOfAttributes ?? false
    return isOfAttributes ? Escaper.html.rawValue : code
  }
}
