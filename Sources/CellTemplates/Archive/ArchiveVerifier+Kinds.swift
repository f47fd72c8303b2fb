/// The rows of kinds, their links and the URL schemes.
extension ArchiveVerifier {
  func verifyKinds() throws(ArchiveError) {
    var previous: [UInt8]?
    var links: UInt64 = 0
    var length: UInt64 = 0
    var parts: UInt64 = 0
    for (number, kind) in tables.kinds.enumerated() {
      try spend(1 + Int(kind.linkCount))
      try check(isInside(kind.name), "a kind's name is outside the literals")
      // The same for the names of kinds.
      length += UInt64(kind.name.count)
      try check(length <= UInt64(tables.literals.count), "the kinds are longer than their texts")
      let name = bytes(kind.name)
      try check(KindName.isValid(String(decoding: name, as: UTF8.self)), "a kind has no valid name")
      if let previous { try check(previous.lexicographicallyPrecedes(name), "the kinds are not sorted") }
      previous = name
      try check(kind.isText <= 1, "a kind has unknown marks")
      try check(isProgram(kind.program, of: number), "a kind has no program")
      try check(
        kind.indentedProgram == noIndex || isProgram(kind.indentedProgram, of: number),
        "a kind has no program")
      try check(isRun(kind.nameStart, kind.nameCount, of: tables.texts.count), "a kind's names are missing")
      try check(
        isRun(kind.partialStart, kind.partialCount, of: tables.texts.count), "a kind's partials are missing")
      try verifyPlace(of: kind)
      try check(UInt64(kind.partStart) == parts, "kinds share parts")
      parts += UInt64(kind.partCount)
      try verifyParts(of: kind)
      try check(UInt64(kind.linkStart) == links, "kinds share links")
      try verifyLinks(of: kind)
      links += UInt64(kind.linkCount)
    }
    try check(DescriptionSizes(tables).firstBeyondLimit == nil, "the descriptions of the kinds are too long")
  }

  /// An archive must not allow what the command line would refuse, and must allow the standard schemes, which
  /// the renderer assumes.
  func verifySchemes() throws(ArchiveError) {
    try check(tables.schemes.count <= URLSchemes.limit, "there are too many URL schemes")
    var names: Set<String> = []
    var previous: [UInt8]?
    for scheme in tables.schemes {
      try check(
        isInside(scheme) && scheme.count <= URLSchemes.nameLimitBytes, "a URL scheme is not a valid name")
      let name = bytes(scheme)
      names.insert(String(decoding: name, as: UTF8.self))
      try check(URLSchemes.mayAllow(String(decoding: name, as: UTF8.self)), "a URL scheme is not allowed")
      if let previous {
        try check(previous.lexicographicallyPrecedes(name), "the URL schemes are not sorted")
      }
      previous = name
    }
    try check(names.isSuperset(of: URLSchemes.standard.names), "the standard URL schemes are missing")
  }

  private func isProgram(_ program: UInt32, of kind: Int) -> Bool {
    program < tables.programs.count && Int(tables.programs[Int(program)].kind) == kind
  }

  private func verifyLinks(of kind: KindEntry) throws(ArchiveError) {
    try check(isRun(kind.linkStart, kind.linkCount, of: tables.links.count), "a kind's links are missing")
    var base: UInt64 = 0
    var linked: Set<UInt32> = []
    // The renderer starts with the kind's own program, whose slots come first.
    try check(
      kind.linkCount > 0 && tables.links[Int(kind.linkStart)].program == kind.program, "a kind has no slots")
    for link in tables.links[Int(kind.linkStart)..<Int(kind.linkStart) + Int(kind.linkCount)] {
      try check(link.program < tables.programs.count, "a link has an unknown program")
      try check(linked.insert(link.program).inserted, "a link exists twice")
      try check(UInt64(link.slotBase) == base, "a link's slots are not in their place")
      base += UInt64(tables.programs[Int(link.program)].slotCount)
    }
    // Each slot belongs to an operation, and no operation is shared, so there are never more slots than
    // operations. A cell's memory is therefore bounded by the archive's size.
    try check(base == UInt64(kind.slotCount), "a kind's slots do not add up")
  }
}
