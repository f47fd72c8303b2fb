import Cells
import CellTemplates

/// Reads the object `{"owner": {…}, "kind": "news", "rows": [items]}` that contains a batch's items, or plain rows of
/// one kind.
///
/// An object may have millions of members. They are read in parts.
struct Envelope {
  /// What is wrong with the object, if it is an envelope.
  private enum Fault {
    case rows, owner, kind, locale, timeZone, now
    case unknown(key: JSONTape.Index)
  }

  private var owner: JSONTape.Index?
  private var kind: JSONTape.Index?
  private var rows: JSONTape.Index?
  private var locale: JSONTape.Index?
  private var timeZone: JSONTape.Index?
  private var now: JSONTape.Index?
  private var fault: Fault?
  /// The key of the next member, and the end of all.
  private var members: Range<JSONTape.Index>
  /// Members read between two checks of the clock.
  static let membersPerLook = 4096

  init(_ object: JSONTape.Index, on tape: JSONTape) { members = object + 1..<tape.end(object) }

  /// Reads the next `limit` members. Returns false if there are more.
  mutating func read(_ limit: Int, on tape: JSONTape) -> Bool {
    var key = members.lowerBound
    var count = 0
    while key < members.upperBound, count < limit {
      if !tape.isSuperseded(key) { read(key, on: tape) }
      key = tape.end(key + 1)
      count += 1
    }
    members = key..<members.upperBound
    return members.isEmpty
  }

  private mutating func read(_ key: JSONTape.Index, on tape: JSONTape) {
    let value = key + 1
    var found: Fault?
    switch tape.nameID(key) {
    case RequestName.rows:
      rows = value
      if tape.kind(value) != .array { found = .rows }
    case RequestName.owner:
      owner = value
      if tape.kind(value) != .object { found = .owner }
    case RequestName.kind:
      kind = value
      if tape.kind(value) != .string { found = .kind }
    case RequestName.locale:
      locale = value
      if tape.kind(value) != .string { found = .locale }
    case RequestName.timeZone:
      timeZone = value
      if tape.kind(value) != .string { found = .timeZone }
    case RequestName.now:
      now = value
      if tape.kind(value) != .string { found = .now }
    default:
      found = .unknown(key: key)
    }
    if fault == nil { fault = found }
  }

  /// The batch, once all members are read; nil if the object has no rows, so that it is an item.
  /// - Parameter content: what the rows consist of.
  /// - Throws: `.badRequest` for an unknown member or a member of the wrong type.
  func batch(of content: Batch.Content, on tape: JSONTape) throws(Problem) -> Batch? {
    precondition(members.isEmpty, "not all members have been read")
    guard let rows else { return nil }
    switch fault {
    case nil: break
    case .rows?: throw Self.problem("/rows", "rows must be an array")
    case .owner?: throw Self.problem("/owner", "owner must be an object")
    case .kind?: throw Self.problem("/kind", "kind must be a string")
    case .locale?: throw Self.problem("/locale", "locale must be a string")
    case .timeZone?: throw Self.problem("/timeZone", "timeZone must be a string")
    case .now?: throw Self.problem("/now", "now must be a string")
    case .unknown(let key)?:
      let name = tape.bytes(key)
      throw Self.problem(
        JSONPointer.appending(sent: name, to: ""),
        "besides rows, only owner, kind, locale, timeZone and now are allowed, not \(Excerpt.quoted(name))")
    }
    return Batch(
      rows: .elements(of: rows), content: content, layout: .envelope, owner: owner, defaultKind: kind,
      reading: try reading(on: tape))
  }

  /// The locale, time zone and time of its rows.
  private func reading(on tape: JSONTape) throws(Problem) -> Batch.Reading {
    var reading = Batch.Reading()
    if let locale {
      guard let tag = LocaleTag(tape.bytes(locale)) else {
        throw Self.problem("/locale", RenderTerms.malformedLocaleDetail(tape.bytes(locale)))
      }
      reading.locale = tag
    }
    if let now {
      guard let seconds = RenderClock.instant(tape.bytes(now)) else {
        throw Self.problem("/now", RenderTerms.malformedNowDetail(tape.bytes(now)))
      }
      reading.now = seconds
    }
    // No time zone has a longer name. The beginning of a longer text is enough to report it.
    reading.timeZone = timeZone.map { Array(tape.bytes($0).prefix(Excerpt.limitBytes + 1)) }
    return reading
  }

  /// Checks that the envelope's kind, if it has one, is that of the path.
  /// - Throws: `.badRequest`.
  func check(isOf number: UInt32, in archive: CellArchive, on tape: JSONTape) throws(Problem) {
    guard let kind, tape.kind(kind) == .string, archive.kindNumber(tape.bytes(kind)) != number else { return }
    let sent = String(decoding: tape.bytes(kind).prefix(Excerpt.limitBytes + 1), as: UTF8.self)
    let own = archive.text(archive.entry(ofKind: number).name)
    throw Self.problem(
      "/kind",
      "kind is \(Excerpt.quoted(sent)), but the path names \(Excerpt.quoted(own)); name the same kind, or none"
    )
  }

  private static func problem(_ pointer: String, _ detail: String) -> Problem {
    var problem = Problem(.badRequest, detail: detail)
    problem.add(Problem.Entry(pointer: pointer, code: .badRequest, detail: detail))
    return problem
  }
}
