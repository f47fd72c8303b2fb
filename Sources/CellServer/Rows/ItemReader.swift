import Cells
import CellTemplates

/// Checks the items of a mixed batch: `{"kind": "news", "id": "42", "data": {…}, "etag": "…"}`.
///
/// An item may have millions of members. They are read in parts, and a copy of the reader continues later.
struct ItemReader {
  enum Reading {
    case good(Item)
    /// `errors` has the reasons.
    case bad
    /// The time is over. Call `readOn` to continue.
    case pause
  }

  /// An item that can be rendered.
  struct Item {
    var kind: UInt32
    var data: JSONTape.Index
    var id: JSONTape.Index?
    var etag: JSONTape.Index?
    var stream: Stream
    /// Its locale, time zone and time, if it says so itself, and whether it names the locale.
    var setting: RenderSetting?
    var choosesLocale = false
  }

  /// What an item says of its Turbo Stream: strings.
  struct Stream {
    var action: JSONTape.Index?
    var target: JSONTape.Index?

    /// Whether the item has a stream of its own.
    var isOwn: Bool { action != nil || target != nil }
  }

  private let tape: JSONTape
  private let archive: CellArchive
  private let batch: Batch
  private let terms: RenderTerms?
  /// Limited because ids are repeated in answers and errors.
  private static let mostIDBytes = 4096

  private let onUnknownKind: ((String) -> Void)?
  /// Whether items may have the members of `Stream`.
  private let takesStreams: Bool
  private var stream = Stream()

  private var kind: JSONTape.Index?
  private var nib: JSONTape.Index?
  private var cellClass: JSONTape.Index?
  private(set) var id: JSONTape.Index?
  private var data: JSONTape.Index?
  private var etag: JSONTape.Index?
  private var locale: JSONTape.Index?
  private var timeZone: JSONTape.Index?
  /// The key of the item's next member, and the end of its members.
  private var members: Range<JSONTape.Index> = 0..<0
  /// Members read between two checks of the clock.
  private static let membersPerLook = 1024
  /// The errors of the item read last, as far as they are described. `errorCount` counts all.
  private(set) var errors: [Problem.Entry] = []
  private(set) var errorCount = 0
  /// Whether errors are described; otherwise they are only counted.
  var describes = true

  init(
    tape: JSONTape, archive: CellArchive, batch: Batch, terms: RenderTerms?, takesStreams: Bool,
    onUnknownKind: ((String) -> Void)?
  ) {
    self.takesStreams = takesStreams
    self.terms = terms
    self.tape = tape
    self.archive = archive
    self.batch = batch
    self.onUnknownKind = onUnknownKind
  }

  /// The most bytes of an unknown kind that the answer repeats.
  private static let sentKindBytes = 1 << 10

  /// The kind that the last item or its envelope sent, if it is a string that is not too long to be repeated.
  var sentKind: JSONTape.Index? {
    let sent = kind ?? (nib == nil && cellClass == nil ? batch.defaultKind : nil)
    guard let sent, tape.kind(sent) == .string, tape.count(sent) <= Self.sentKindBytes else { return nil }
    return sent
  }

  /// Reads one item.
  /// - Parameters:
  ///   - pause: when to pause.
  ///   - pointer: makes the item's JSON pointer; called only for an error.
  mutating func read(_ item: JSONTape.Index, until pause: inout RowPause, pointer: () -> String) -> Reading {
    (kind, nib, cellClass, id, data, etag) = (nil, nil, nil, nil, nil, nil)
    stream = Stream()
    (locale, timeZone) = (nil, nil)
    errors.removeAll()
    errorCount = 0
    guard tape.kind(item) == .object else {
      report(.invalidRow, pointer, "an item must be an object with a kind and data")
      return .bad
    }
    members = item + 1..<tape.end(item)
    return readOn(until: &pause, pointer: pointer)
  }

  /// Continues to read the item. The parameters are those of `read`.
  mutating func readOn(until pause: inout RowPause, pointer: () -> String) -> Reading {
    while true {
      readMembers(most: Self.membersPerLook, pointer)
      if members.isEmpty { break }
      if pause.isOver() { return .pause }
    }
    let number = select(pointer)
    if let number, let data, tape.kind(data) == .array, !archive.rowUses(of: number).takeList {
      report(
        .invalidRow, { JSONPointer.appending("data", to: pointer()) },
        "data is one row; for several rows of one kind use an envelope with kind and rows")
    }
    if stream.isOwn { checkStream(pointer) }
    let setting = setting(pointer)
    guard errorCount == 0, let number, let data = data ?? batch.emptyObject else { return .bad }
    return .good(
      Item(
        kind: number, data: data, id: id, etag: etag, stream: stream, setting: setting,
        choosesLocale: locale != nil))
  }

  /// The item's locale, time zone and time; nil if it does not say.
  private mutating func setting(_ pointer: () -> String) -> RenderSetting? {
    let isString = { [tape] (value: JSONTape.Index?) in value.map { tape.kind($0) == .string } ?? true }
    guard locale != nil || timeZone != nil, isString(locale), isString(timeZone) else { return nil }
    var tag: LocaleTag?
    if let locale {
      tag = LocaleTag(tape.bytes(locale))
      if tag == nil {
        let sent = tape.bytes(locale)
        report(
          .invalidRow, { JSONPointer.appending("locale", to: pointer()) },
          RenderTerms.malformedLocaleDetail(sent))
      }
    }
    let zone = timeZone.map(tape.bytes)
    guard let setting = terms?.setting(locale: tag, timeZone: zone) else {
      report(
        .invalidRow, { JSONPointer.appending("timeZone", to: pointer()) },
        RenderTerms.unknownZoneDetail(zone ?? UnsafeRawBufferPointer(start: nil, count: 0)))
      return nil
    }
    return setting
  }

  private mutating func readMembers(most limit: Int, _ pointer: () -> String) {
    var key = members.lowerBound
    let end = members.upperBound
    var count = 0
    while key < end, count < limit {
      let value = key + 1
      if !tape.isSuperseded(key) { read(key: key, value: value, pointer) }
      key = tape.end(value)
      count += 1
    }
    members = key..<end
  }

  private mutating func read(key: JSONTape.Index, value: JSONTape.Index, _ pointer: () -> String) {
    switch tape.nameID(key) {
    case RequestName.kind:
      kind = value
      requireString(value, "kind", pointer)
    case RequestName.nib:
      nib = value
      requireString(value, "nib", pointer)
    case RequestName.class:
      cellClass = value
      requireString(value, "class", pointer)
    case RequestName.etag:
      etag = value
      requireString(value, "etag", pointer)
    case RequestName.locale:
      locale = value
      requireString(value, "locale", pointer)
    case RequestName.timeZone:
      timeZone = value
      requireString(value, "timeZone", pointer)
    case RequestName.data:
      data = value
    case RequestName.id:
      if tape.kind(value) == .array || tape.kind(value) == .object {
        report(
          .invalidRow, { JSONPointer.appending("id", to: pointer()) },
          "id must be a string, a number, a boolean or null")
      } else if tape.count(value) > Self.mostIDBytes {
        report(
          .invalidRow, { JSONPointer.appending("id", to: pointer()) },
          "id is longer than \(Self.mostIDBytes) bytes")
      } else {
        id = value
      }
    default:
      let name = tape.bytes(key)
      if takesStreams, take(name, value) { return }
      report(
        .invalidRow, { JSONPointer.appending(sent: name, to: pointer()) },
        "an item has no member \(Excerpt.quoted(name)); its data goes into \"data\"")
    }
  }

  /// Takes a member of `Stream`. Returns false if it is none. These names are not in the archive's table, so that the last of
  /// several is found only here.
  private mutating func take(_ name: UnsafeRawBufferPointer, _ value: JSONTape.Index) -> Bool {
    if name.elementsEqual("action".utf8) {
      stream.action = value
    } else if name.elementsEqual("target".utf8) {
      stream.target = value
    } else {
      return false
    }
    return true
  }

  private mutating func checkStream(_ pointer: () -> String) {
    if let action = stream.action,
      tape.kind(action) != .string || TurboStreamControls.Action(rawValue: text(action)) == nil
    {
      report(
        .invalidRow, { JSONPointer.appending("action", to: pointer()) },
        "action must be \(TurboStreamControls.list)")
    }
    guard let target = stream.target else { return }
    if tape.kind(target) != .string || !(1...TurboStreamControls.limitBytes ~= tape.count(target)) {
      report(
        .invalidRow, { JSONPointer.appending("target", to: pointer()) },
        "target must be a string of 1 to \(TurboStreamControls.limitBytes) bytes")
    } else if TurboStreamControls.holdsTooManyIDs(tape.bytes(target)) {
      report(
        .invalidRow, { JSONPointer.appending("target", to: pointer()) },
        "target \(TurboStreamControls.tooManyIDs)")
    }
  }

  /// The start of a string, for excerpts.
  private func text(_ node: JSONTape.Index) -> String {
    String(decoding: tape.bytes(node).prefix(Excerpt.limitBytes + 1), as: UTF8.self)
  }

  private mutating func requireString(_ value: JSONTape.Index, _ name: String, _ pointer: () -> String) {
    if tape.kind(value) == .string { return }
    report(.invalidRow, { JSONPointer.appending(name, to: pointer()) }, "\(name) must be a string")
  }

  /// The number of the requested kind.
  private mutating func select(_ pointer: () -> String) -> UInt32? {
    if nib != nil || cellClass != nil {
      // A value that is not a string was already reported.
      guard errorCount == 0 else { return nil }
      if let number = selected { return number }
      let selection = describes || onUnknownKind != nil ? selection : ""
      report(.unknownKind, pointer, "no cell has \(selection); GET /kinds lists the cells")
      onUnknownKind?(selection)
      return nil
    }
    guard let name = kind ?? batch.defaultKind else {
      report(.invalidRow, pointer, "the item has no kind, and there is no default")
      return nil
    }
    guard tape.kind(name) == .string else { return nil }
    if let number = archive.kindNumber(tape.bytes(name)) { return number }
    let isOwn = kind != nil
    let archive = archive
    let unknown = describes || onUnknownKind != nil ? text(name) : ""
    report(
      .unknownKind, { isOwn ? JSONPointer.appending("kind", to: pointer()) : pointer() },
      Self.unknownKindDetail(unknown, in: archive))
    onUnknownKind?(Excerpt.quoted(unknown))
    return nil
  }

  static func unknownKindDetail(_ name: String, in archive: CellArchive) -> String {
    let question = archive.kind(near: name).map { "did you mean \"\($0)\"? " } ?? ""
    return "there is no cell of kind \(Excerpt.quoted(name)); \(question)GET /kinds lists the kinds"
  }

  /// The first cell with the item's nib and class; or the cell of its kind, if it has both.
  private var selected: UInt32? {
    let nib = nib.map(tape.bytes)
    let cellClass = cellClass.map(tape.bytes)
    guard let kind else { return archive.firstKind(nib: nib, class: cellClass) }
    guard let number = archive.kindNumber(tape.bytes(kind)) else { return nil }
    return archive.kind(number, isIn: nib, hasClass: cellClass) ? number : nil
  }

  /// Describes the selection made by the item.
  private var selection: String {
    let asked = [("kind", kind), ("nib", nib), ("class", cellClass)]
    let words = asked.compactMap { name, value in value.map { "\(name) \(Excerpt.quoted(text($0)))" } }
    return words.joined(separator: " and ")
  }

  private mutating func report(
    _ code: Problem.Code, _ pointer: () -> String, _ detail: @autoclosure () -> String
  ) {
    errorCount += 1
    // An item may have thousands of unknown members. No more are described than are printed.
    guard describes, errors.count < Problem.printedErrors else { return }
    errors.append(Problem.Entry(pointer: pointer(), code: code, detail: detail()))
  }
}
