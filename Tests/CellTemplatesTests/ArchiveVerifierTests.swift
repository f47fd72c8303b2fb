import Scaling
import Testing

@testable import CellTemplates

/// The verifier refuses tables with a single inconsistency: one row for each rule that the renderer relies
/// on.
@Suite struct ArchiveVerifierTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let change: @Sendable (inout ArchiveTables) -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout ArchiveTables) -> Void) {
      testDescription = name
      self.change = change
    }
  }

  private static func tables() throws -> ArchiveTables {
    try ArchiveFormat.decode(ArchiveFormatTests.archive.get().encoded())
  }

  /// The index of the first operation with the code.
  private static func first(_ code: OpCode, in tables: ArchiveTables) -> Int {
    tables.ops.firstIndex { $0.code == code.rawValue }!
  }

  @Test func theCompilersTablesAreAccepted() throws {
    try ArchiveVerifier(Self.tables()).verify()
  }

  private static func tablesWithNib() throws -> ArchiveTables {
    try ArchiveFormat.decode(ArchiveFormatTests.archiveWithNib.get().encoded())
  }

  /// Adds a text of its own.
  private static func addText(_ bytes: [UInt8], to tables: inout ArchiveTables) -> LiteralRef {
    let start = UInt32(tables.literals.count)
    tables.literals += bytes
    return LiteralRef(offset: start, count: UInt32(bytes.count))
  }

  /// Gives each kind a run of long texts, more than an archive of this size allows.
  private static func share(
    _ tables: inout ArchiveTables, _ give: (inout KindEntry, _ start: UInt32, _ count: UInt32) -> Void
  ) {
    let start = UInt32(tables.texts.count)
    let pool = tables.literals.count
    tables.literals += [UInt8](repeating: 0x61, count: 1 << 20)
    tables.texts += [LiteralRef](repeating: LiteralRef(offset: UInt32(pool), count: 1 << 20), count: 20)
    for kind in tables.kinds.indices { give(&tables.kinds[kind], start, 20) }
  }

  /// What the compiler makes of an outlet, with many designs around its content, all of one extent.
  private static func tables(nestedDesigns count: Int) throws -> ArchiveTables {
    let nib = TemplateSource(
      file: "n.html", kind: "n", mode: .html, bytes: Array("<p data-cell=c><b data-outlet=x>y</b></p>".utf8))
    var tables = try ArchiveFormat.decode(TemplateCompiler.compile([], nibs: [nib]).archive.encoded())
    let (start, end) = (first(.outlet, in: tables), first(.outletEnd, in: tables))
    for index in [start, first(.outletContent, in: tables)] { tables.ops[index].b += UInt32(count) }
    let design = Op(.blind, a: 0, b: UInt32(end + count))
    tables.ops.insert(contentsOf: [Op](repeating: design, count: count), at: start + 1)
    tables.programs[0].opCount += UInt32(count)
    return tables
  }

  @Test func nestedDesignsAreVerifiedInLinearTime() throws {
    let fault = try Scaling.fault(from: 2000, make: Self.tables(nestedDesigns:)) { tables in
      try ArchiveVerifier(tables).verify()
    }
    #expect(fault == nil)
  }

  /// What the compiler makes of a condition, and others that compare with parts of one text of digits.
  /// - Parameter starts: where in the digits each number starts. It ends where they end.
  private static func tables(ofDigits count: Int, comparedFrom starts: [Int]) throws -> ArchiveTables {
    let nib = TemplateSource(
      file: "n.html", kind: "n", mode: .html,
      bytes: Array("<p data-cell=c><b data-when='x<5'>y</b></p>".utf8))
    var tables = try ArchiveFormat.decode(TemplateCompiler.compile([], nibs: [nib]).archive.encoded())
    let digits = addText([UInt8](repeating: UInt8(ascii: "1"), count: count), to: &tables)
    let (condition, known) = (tables.conditions[0], tables.conditionLiterals.count)
    tables.conditionLiterals += starts.map { start in
      let text = LiteralRef(offset: digits.offset + UInt32(start), count: digits.count - UInt32(start))
      return ConditionLiteralEntry(.word, text: text)
    }
    tables.conditions += starts.indices.map { number in
      var other = condition
      other.literalStart = UInt32(known + number)
      return other
    }
    return tables
  }

  @Test func numbersThatConditionsShareAreVerifiedInLinearTime() throws {
    let make = { (count: Int) in
      try Self.tables(ofDigits: 1000, comparedFrom: [Int](repeating: 0, count: count))
    }
    let fault = try Scaling.fault(from: 2000, make: make) { tables in try ArchiveVerifier(tables).verify() }
    #expect(fault == nil)
  }

  @Test func differentNumbersShareNoText() throws {
    let same = try Self.tables(ofDigits: 1000, comparedFrom: [0, 0, 0])
    _ = try CellArchive(decoding: ArchiveFormat.encode(same))
    Self.expectRefusal(of: try Self.tables(ofDigits: 1000, comparedFrom: Array(0..<100)))
  }

  @Test func wordsOfConditionsAreShort() throws {
    _ = try CellArchive(decoding: ArchiveFormat.encode(Self.tables(ofDigits: 1024, comparedFrom: [0])))
    let long = try Self.tables(ofDigits: 1025, comparedFrom: [0])
    #expect(throws: ArchiveError.inconsistent("a condition has too long a word")) {
      try ArchiveVerifier(long).verify()
    }
  }

  /// Quoted texts have no limit of length, so no number is written as one.
  @Test func ordersCompareWithWords() throws {
    var quoted = try Self.tables(ofDigits: 10, comparedFrom: [0])
    quoted.conditionLiterals[0].form = ConditionLiteralEntry.Form.quoted.rawValue
    #expect(throws: ArchiveError.inconsistent("a condition's order is of no word")) {
      try ArchiveVerifier(quoted).verify()
    }
  }

  /// The bytes of a number count, so that `--load-seconds` holds.
  @Test func theClockIsAskedForNumbers() throws {
    // Each number is another text.
    var tables = try Self.tables(ofDigits: 1000, comparedFrom: [0])
    for _ in 0..<1000 {
      let digits = Self.addText([UInt8](repeating: UInt8(ascii: "1"), count: 1000), to: &tables)
      var condition = tables.conditions[0]
      condition.literalStart = UInt32(tables.conditionLiterals.count)
      tables.conditions.append(condition)
      tables.conditionLiterals.append(ConditionLiteralEntry(.word, text: digits))
    }
    var looks = 0
    let isOver = {
      looks += 1
      return false
    }
    let budget = LoadBudget(isOver: isOver, message: "", hint: "", stride: 1 << 15)
    try ArchiveVerifier(tables, budget: budget).verify()
    #expect(looks > 0)
  }

  @Test func partsDoNotShareALongFormat() throws {
    let source = TemplateSource(file: "c", kind: "c", mode: .html, bytes: Array("{{n | number}}".utf8))
    var tables = try ArchiveFormat.decode(TemplateCompiler.compile([source]).archive.encoded())
    tables.formats[0].text = LiteralRef(offset: UInt32(tables.literals.count), count: 1 << 20)
    tables.literals += [UInt8](repeating: 0x61, count: 1 << 20)
    try ArchiveVerifier(tables).verify()
    let part = try #require(tables.parts.first)
    tables.parts += [PartEntry](repeating: part, count: 200)
    tables.kinds[0].partCount += 200
    #expect(throws: ArchiveError.inconsistent("the descriptions of the kinds are too long")) {
      try ArchiveVerifier(tables).verify()
    }
  }

  @Test func theCompilersTablesOfNibsAreAccepted() throws {
    try ArchiveVerifier(Self.tablesWithNib()).verify()
  }

  @Test(arguments: [
    Case("outlet that is unknown") { $0.ops[first(.outlet, in: $0)].a = UInt32($0.outlets.count) },
    Case("outlet without slot") { $0.ops[first(.outlet, in: $0)].c = 1000 },
    Case("outlet that ends behind its end") { $0.ops[first(.outlet, in: $0)].b += 1 },
    Case("outlet that ends at itself") { $0.ops[first(.outlet, in: $0)].b = UInt32(first(.outlet, in: $0)) },
    Case("outlet that is never closed") { $0.ops[first(.outletEnd, in: $0)] = Op(.lineStart) },
    Case("outlet that closes another") { $0.ops[first(.outletEnd, in: $0)].a += 1 },
    Case("outlet closed as a section") {
      $0.ops[first(.outletEnd, in: $0)].code = OpCode.sectionEnd.rawValue
    },
    Case("section closed as an outlet") {
      $0.ops[first(.sectionEnd, in: $0)].code = OpCode.outletEnd.rawValue
    },
    Case("content of an unknown outlet") { $0.ops[first(.outletContent, in: $0)].a = .max },
    Case("content of another outlet") {
      let content = first(.outletContent, in: $0)
      $0.ops[content].a = $0.ops[content].a == 0 ? 1 : 0
    },
    Case("content without slot") { $0.ops[first(.outletContent, in: $0)].c = 1000 },
    Case("content that ends at itself") {
      $0.ops[first(.outletContent, in: $0)].b = UInt32(first(.outletContent, in: $0))
    },
    Case("content that holds the outlet's end") { $0.ops[first(.outletContent, in: $0)].b += 1 },
    Case("content outside of outlets") { $0.ops[first(.outlet, in: $0)] = Op(.lineStart) },
    Case("attribute that is unknown") { $0.ops[first(.bind, in: $0)].a = UInt32($0.binds.count) },
    Case("attribute without slot") { $0.ops[first(.bind, in: $0)].c = noIndex },
    Case("attribute that ends behind its outlet") { $0.ops[first(.bind, in: $0)].b = .max },
    Case("attribute in a section") { tables in
      tables.ops[first(.section, in: tables) + 1] = Op(
        .bind, a: 0, b: UInt32(first(.section, in: tables)) + 2, c: 0)
    },
    Case("outlet of an unknown path") { $0.outlets[0].path = UInt32($0.paths.count) },
    Case("outlet of an unknown form") { $0.outlets[0].form = 4 },
    Case("outlet through an unknown escaper") { $0.outlets[0].escaper = .max },
    Case("outlet with an unknown own key") { $0.outlets[0].textName = UInt32($0.names.count) },
    Case("outlet with unknown marks") { $0.outlets[0].held = 5 },
    Case("outlet with an unknown line end") { $0.outlets[0].startsWithNewline = 2 },
    Case("attribute outside the literals") { $0.binds[0].opening.offset = .max },
    Case("attribute of an unknown path") { $0.binds[0].path = UInt32($0.paths.count) },
    Case("attribute of an unknown form") { $0.binds[0].form = 5 },
    Case("attribute through an unknown escaper") { $0.binds[0].escaper = .max },
    Case("attribute with unknown marks") { $0.binds[0].marks = 64 },
    Case("attribute with an unknown choice") { $0.binds[0].missing = 99 },
    Case("nib outside the literals") { $0.nibs[0].name.count = .max },
    Case("nib with styles outside") { $0.nibs[0].styleCount = .max },
    Case("nibs longer than all text") { tables in
      let all = LiteralRef(offset: 0, count: UInt32(tables.literals.count))
      for _ in 0..<2 { tables.nibs.append(NibEntry(name: all, styleStart: 0, styleCount: 0)) }
    },
    Case("kind of an unknown nib") { $0.kinds[0].nib = UInt32($0.nibs.count) },
    Case("kind with classes outside") { $0.kinds[0].classCount = .max },
    Case("kinds that share many classes") { tables in
      share(&tables) { ($0.classStart, $0.classCount) = ($1, $2) }
    },
    Case("kind of too many classes") { tables in
      let start = UInt32(tables.texts.count)
      tables.texts += [LiteralRef](repeating: tables.texts[0], count: 257)
      (tables.kinds[0].classStart, tables.kinds[0].classCount) = (start, 257)
    },
    Case("kinds that share many names") { tables in
      share(&tables) { ($0.nameStart, $0.nameCount) = ($1, $2) }
    },
    Case("kinds that share many partials") { tables in
      share(&tables) { ($0.partialStart, $0.partialCount) = ($1, $2) }
    },
    Case("kinds that share many styles") { tables in
      share(&tables) { kind, _, _ in kind.nib = 0 }
      tables.nibs[0].styleCount = UInt32(tables.texts.count)
      tables.nibs[0].styleStart = 0
    },
    Case("kinds that share long placeholders") { tables in
      let all = tables.literals.count
      tables.literals += [UInt8](repeating: 0x61, count: 1 << 20)
      let long = LiteralRef(offset: UInt32(all), count: 1 << 20)
      let kind = tables.kinds.firstIndex { $0.partCount > 0 }!
      let start = Int(tables.kinds[kind].partStart)
      let part = tables.parts[start]
      var copies = [PartEntry](repeating: part, count: 100)
      for position in copies.indices { copies[position].placeholder = long }
      tables.parts.insert(contentsOf: copies, at: start)
      tables.kinds[kind].partCount += 100
      for later in tables.kinds.indices.dropFirst(kind + 1) { tables.kinds[later].partStart += 100 }
    },
    Case("kinds that share parts") { tables in
      let kind = tables.kinds.firstIndex { $0.partCount > 0 }!
      tables.kinds[kind].partStart += 1
    },
    Case("kind with parts outside") { $0.kinds[$0.kinds.count - 1].partCount = .max },
    Case("parts that are nested too deep") { tables in
      let kind = tables.kinds.indices.last!
      let start = UInt32(tables.parts.count)
      var part = tables.parts.first { $0.role == PartEntry.Role.outlet.rawValue }!
      part.isTopLevel = 0
      for depth in UInt32(0)..<802 {
        part.parent = depth == 0 ? noIndex : depth - 1
        tables.parts.append(part)
      }
      (tables.kinds[kind].partStart, tables.kinds[kind].partCount) = (start, 802)
    },
    Case("part with a name that is not UTF-8") { $0.parts[0].name = addText([0xA6], to: &$0) },
    Case("part with an element that is not UTF-8") { $0.parts[0].element = addText([0x61, 0xC3], to: &$0) },
    Case("name that is not UTF-8") { $0.names[$0.names.count - 1].text = addText([0xA6], to: &$0) },
    Case("nib with a name that is not UTF-8") { $0.nibs[0].name = addText([0x6E, 0xFF], to: &$0) },
    Case("path with a text that is not UTF-8") { $0.paths[0].text = addText([0xFF], to: &$0) },
    Case("tag that is not a number") { tables in
      let part = tables.parts.firstIndex { $0.role == PartEntry.Role.outlet.rawValue }!
      tables.parts[part].role = PartEntry.Role.taggedOutlet.rawValue
    },
    Case("tag that is not a number of JSON") { tables in
      let part = tables.parts.firstIndex { $0.role == PartEntry.Role.outlet.rawValue }!
      tables.parts[part].role = PartEntry.Role.taggedOutlet.rawValue
      tables.parts[part].name = addText(Array("07".utf8), to: &tables)
    },
    Case("part with an unknown role") { $0.parts[0].role = 13 },
    Case("part outside the literals") { $0.parts[0].name.offset = .max },
    Case("part with its element outside") { $0.parts[0].element.count = .max },
    Case("part with its placeholder outside") { $0.parts[0].placeholder.count = .max },
    Case("outlet's part without outlet") { tables in
      tables.parts[tables.parts.firstIndex { $0.role == PartEntry.Role.outlet.rawValue }!].entry = noIndex
    },
    Case("variable's part of an unknown policy") { tables in
      tables.parts[tables.parts.firstIndex { $0.role == PartEntry.Role.variable.rawValue }!].entry = 6
    },
    Case("variable's part that finds values") { tables in
      tables.parts[tables.parts.firstIndex { $0.role == PartEntry.Role.variable.rawValue }!].isTopLevel = 1
    },
    Case("part with an unknown escaper") { $0.parts[0].escaper = .max },
    Case("part with unknown marks") { $0.parts[0].hasPlaceholder = 2 },
    Case("part in one that holds none") { tables in
      let kind = tables.kinds.first { kind in
        kind.partCount > 1 && tables.parts[Int(kind.partStart)].role == PartEntry.Role.variable.rawValue
      }!
      tables.parts[Int(kind.partStart) + 1].parent = 0
    },
    Case("part in itself") { tables in
      let kind = tables.kinds.first { $0.partCount > 1 }!
      tables.parts[Int(kind.partStart) + 1].parent = 1
    },
  ])
  func tablesOfNibsThatDoNotHoldTogetherAreRefused(_ row: Case) throws {
    var tables = try Self.tablesWithNib()
    row.change(&tables)
    Self.expectRefusal(of: tables)
  }

  @Test(arguments: [
    Case("unknown step") { $0.ops[0].code = 1000 },
    Case("literal outside") { $0.ops[first(.value, in: $0)].literal.count = UInt32($0.literals.count) + 1 },
    Case("literal that wraps") { $0.ops[first(.end, in: $0)].literal.offset = .max },
    Case("value of unknown path") { $0.ops[first(.value, in: $0)].a = UInt32($0.paths.count) },
    Case("value through unknown escaper") {
      $0.ops[first(.value, in: $0)].b = UInt32(Escaper.allCases.count)
    },
    Case("value without slot") { $0.ops[first(.value, in: $0)].c = 1000 },
    Case("section of unknown path") { $0.ops[first(.section, in: $0)].a = .max },
    Case("section without slot") { $0.ops[first(.section, in: $0)].c = .max },
    Case("section that ends behind its end") { $0.ops[first(.section, in: $0)].b += 1 },
    Case("section that ends at itself") {
      $0.ops[first(.section, in: $0)].b = UInt32(first(.section, in: $0))
    },
    Case("section that is never closed") { $0.ops[first(.sectionEnd, in: $0)] = Op(.lineStart) },
    Case("section that closes another") { $0.ops[first(.sectionEnd, in: $0)].a += 1 },
    Case("section closed where none is open") { $0.ops[first(.inverted, in: $0)] = Op(.sectionEnd) },
    Case("inverted that ends in another construct") { $0.ops[first(.inverted, in: $0)].b = .max },
    Case("call that is unknown") { $0.ops[first(.call, in: $0)].a = UInt32($0.calls.count) },
    Case("call used twice") { $0.ops[first(.parent, in: $0)].a = 0 },
    Case("call of unknown program") { $0.calls[0].program = UInt32($0.programs.count) },
    Case("call without target") { ($0.calls[0].program, $0.calls[0].dynamicPath) = (noIndex, noIndex) },
    Case("call with two targets") { ($0.calls[0].program, $0.calls[0].dynamicPath) = (0, 0) },
    Case("call with indentation outside") { $0.calls[0].indentation.count = .max },
    Case("call with unknown marks") { $0.calls[0].isHTML = 2 },
    Case("call with overrides outside") { $0.calls[0].overrideCount = 1000 },
    Case("partial with overrides") {
      let parent = $0.calls.firstIndex { $0.overrideCount > 0 }!
      ($0.calls[0].overrideStart, $0.calls[0].overrideCount) = ($0.calls[parent].overrideStart, 1)
    },
    Case("override that starts inside a body") { $0.overrides[1].bodyStart = $0.overrides[0].bodyStart + 1 },
    Case("override that starts outside its parent") { $0.overrides[0].bodyStart = 0 },
    Case("override of an unknown name") { $0.overrides[0].blockName = .max },
    Case("body that is no override's") {
      let parent = $0.calls.firstIndex { $0.overrideCount > 1 }!
      $0.calls[parent].overrideCount -= 1
    },
    Case("body that is not closed") { $0.ops[first(.bodyEnd, in: $0)] = Op(.lineStart) },
    Case("body closed where none is open") { $0.ops[first(.lineStart, in: $0)] = Op(.bodyEnd) },
    Case("parent that ends too early") { $0.ops[first(.parent, in: $0)].b -= 1 },
    Case("block that is unknown") { $0.ops[first(.block, in: $0)].a = .max },
    Case("block that ends behind its program") { $0.ops[first(.block, in: $0)].b = UInt32($0.ops.count) },
    Case("block of an unknown name") { $0.blocks[0].name = .max },
    Case("line's start with unknown mark") { $0.ops[first(.lineStart, in: $0)].a = 2 },
    Case("end in the middle") { $0.ops[first(.value, in: $0)] = Op(.end) },
    Case("program without end") { $0.ops[$0.ops.count - 1] = Op(.lineStart) },
    Case("program that is empty") { $0.programs[0].opCount = 0 },
    Case("program outside the steps") { $0.programs[$0.programs.count - 1].opCount += 1 },
    Case("programs that share steps") { $0.programs[1].opStart = 0 },
    Case("program of an unknown kind") { $0.programs[0].kind = UInt32($0.kinds.count) },
    Case("program with fewer slots than steps ask for") {
      $0.programs[Int($0.kinds[3].program)].slotCount -= 1
    },
    Case("program with more slots than steps") { $0.programs[0].slotCount = .max },
    Case("URL scheme outside the literals") { $0.schemes[0].offset = UInt32($0.literals.count) },
    Case("standard URL scheme missing") { _ = $0.schemes.removeFirst() },
    Case("URL scheme there twice") { $0.schemes[1] = $0.schemes[0] },
    Case("URL schemes not sorted") { $0.schemes.swapAt(0, 2) },
    Case("URL scheme that is no name") { $0.schemes[0].count = 0 },
    Case("URL scheme in capitals") { $0.literals[Int($0.schemes[3].offset)] = UInt8(ascii: "T") },
    Case("URL scheme that runs script") { tables in
      tables.schemes[1] = LiteralRef(offset: UInt32(tables.literals.count), count: 10)
      tables.literals += Array("javascript".utf8)
    },
    Case("more URL schemes than are judged in reasonable time") { tables in
      tables.schemes = (0...64).map { number in
        let name = Array("s\(100 + number)".utf8)
        tables.literals += name
        return LiteralRef(offset: UInt32(tables.literals.count - name.count), count: UInt32(name.count))
      }
    },
    Case("kind without links, so without slots") { tables in
      let kind = tables.kinds.count - 1
      (tables.kinds[kind].linkCount, tables.kinds[kind].slotCount) = (0, 0)
    },
    Case("kind whose first link is another's") { tables in
      let start = Int(tables.kinds[3].linkStart)
      tables.links[start].program = tables.kinds[0].program
    },
    Case("kind with too few slots") { $0.kinds[3].slotCount -= 1 },
    Case("kind with another's program") { $0.kinds[0].program = $0.kinds[1].program },
    Case("kind with another's indented program") { $0.kinds[0].indentedProgram = $0.kinds[1].program },
    Case("kinds out of order") { $0.kinds.swapAt(0, 1) },
    Case("kind twice") { $0.kinds[1].name = $0.kinds[0].name },
    Case("kind that is no kind") { $0.kinds[0].name.count = 0 },
    Case("kind outside the literals") { $0.kinds[0].name.offset = .max },
    Case("kind with unknown marks") { $0.kinds[0].isText = 2 },
    Case("kind with names outside") { $0.kinds[0].nameCount = .max },
    Case("kind with partials outside") { $0.kinds[0].partialStart = .max },
    Case("link to unknown program") { $0.links[1].program = UInt32($0.programs.count) },
    Case("link with slots at another place") { $0.links[$0.links.count - 1].slotBase += 1 },
    Case("reserved name missing") { $0.names.removeAll() },
    Case("reserved name at another place") { $0.names.swapAt(0, 1) },
    Case("name twice") { $0.names.append($0.names[$0.names.count - 1]) },
    Case("name outside the literals") { $0.names[9].text.count = .max },
    Case("names longer together than all text") { tables in
      for count in 0..<UInt32(tables.literals.count) {
        tables.names.append(NameEntry(text: LiteralRef(offset: 0, count: count), listIndex: noIndex))
      }
    },
    Case("text outside the literals") { $0.texts[0].offset = .max },
    Case("path with unknown root") { $0.paths[0].root = 9 },
    Case("path with unknown name") { $0.paths[0].name = UInt32($0.names.count) },
    Case("path with segments outside") { $0.paths[0].segmentCount = .max },
    Case("path with unknown segment") { $0.segments[0] = UInt32($0.names.count) },
    Case("path with its text outside") { $0.paths[0].text.offset = .max },
  ])
  func tablesThatDoNotHoldTogetherAreRefused(_ row: Case) throws {
    var tables = try Self.tables()
    row.change(&tables)
    Self.expectRefusal(of: tables)
  }

  /// Three formats: an integer, a list, and a number that is an integer in German and in Japanese.
  private static func tablesWithFormats() throws -> ArchiveTables {
    let entries = try [("p", "number"), ("p@de", "integer"), ("p@ja", "integer")].map {
      try NamedFormats.entry($0, Array($1.utf8))
    }
    let source = TemplateSource(
      file: "a.mustache", kind: "a", mode: .html, bytes: Array("{{n | integer}}{{l | list}}{{n | p}}".utf8))
    return try ArchiveFormat.decode(
      TemplateCompiler.compile(
        [source],
        with: TemplateSettings(
          formats: NamedFormats.names(of: entries).names,
          locales: OfferedLocales(standard: "en", others: "de,ja"))
      ).archive.encoded())
  }

  @Test(arguments: [
    Case("format with a text that is not UTF-8") { $0.formats[0].text = addText([0x6E, 0xFF], to: &$0) },
    Case("variant that is a list") { $0.formatVariants[0].format = 1 },
    Case("variant of a list that is none") { $0.formats[2].kind = FormatKind.list.rawValue },
    Case("variants for the same locale") { $0.formatVariants[1].locale = $0.formatVariants[0].locale },
    Case("variant for no locale") { $0.formatVariants[0].locale.count = 1 },
    Case("variant without a locale") { $0.formatVariants[0].locale.count = 0 },
    Case("more variants than formats.json has names") { tables in
      tables.formatVariants = (0...FormatVariantEntry.limit).map { number in
        // Languages of three letters.
        let tag = [number / 676, number / 26 % 26, number % 26].map { UInt8(ascii: "a") + UInt8($0) }
        tables.literals += tag
        return FormatVariantEntry(
          locale: LiteralRef(offset: UInt32(tables.literals.count - tag.count), count: UInt32(tag.count)),
          format: 0)
      }
      tables.formats[2].variantCount = UInt32(tables.formatVariants.count)
    },
  ])
  func formatsThatDoNotHoldTogetherAreRefused(_ row: Case) throws {
    var tables = try Self.tablesWithFormats()
    _ = try CellArchive(decoding: ArchiveFormat.encode(tables))
    row.change(&tables)
    Self.expectRefusal(of: tables)
  }

  /// The names of members in samples are those in schemas.
  @Test func namesOfSamplesAreUTF8() throws {
    var tables = try Self.tables()
    tables.sampleTypes = [
      SampleTypeEntry(
        kind: 0, parent: noIndex, name: .empty, types: SampleTypeEntry.Types.object.rawValue),
      SampleTypeEntry(
        kind: 0, parent: 0, name: Self.addText(Array("z\u{FC}".utf8), to: &tables),
        types: SampleTypeEntry.Types.string.rawValue),
    ]
    _ = try CellArchive(decoding: ArchiveFormat.encode(tables))
    tables.sampleTypes[1].name = Self.addText([0x7A, 0xFF], to: &tables)
    Self.expectRefusal(of: tables)
  }

  private static func expectRefusal(of tables: ArchiveTables) {
    let bytes = ArchiveFormat.encode(tables)
    let error = #expect(throws: ArchiveError.self) { try CellArchive(decoding: bytes) }
    guard case .inconsistent? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
