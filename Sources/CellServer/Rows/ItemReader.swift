import Cells
import CellTemplates

/// Judges the items of a mixed batch: `{"kind": "news", "id": "42", "data": {…}, "etag": "…"}`.
struct ItemReader {
  /// An item that may be rendered.
  struct Item {
    var kind: UInt32
    var data: JSONTape.Index
    var id: JSONTape.Index?
    var etag: JSONTape.Index?
  }

  private let tape: JSONTape
  private let archive: CellArchive
  private let batch: Batch
  private let onUnknownKind: ((String) -> Void)?

  private var kind: JSONTape.Index?
  private var nib: JSONTape.Index?
  private var cellClass: JSONTape.Index?
  private(set) var id: JSONTape.Index?
  private var data: JSONTape.Index?
  private var etag: JSONTape.Index?
  /// What is wrong with the item read last: the first of it, and how much in all.
  private(set) var errors: [Problem.Entry] = []
  private(set) var errorCount = 0
  /// Errors are put into words; else they are only counted.
  var describes = true

  init(tape: JSONTape, archive: CellArchive, batch: Batch, onUnknownKind: ((String) -> Void)?) {
    self.tape = tape
    self.archive = archive
    self.batch = batch
    self.onUnknownKind = onUnknownKind
  }

  /// The kind as sent by the item read last, or for it by the envelope, where it is a string.
  var sentKind: JSONTape.Index? {
    let sent = kind ?? (nib == nil && cellClass == nil ? batch.defaultKind : nil)
    guard let sent, tape.kind(sent) == .string else { return nil }
    return sent
  }

  /// Reads one item; nil where it is bad, and `errors` says why.
  /// - Parameter pointer: the item's JSON pointer; made only for an error.
  mutating func read(_ item: JSONTape.Index, pointer: () -> String) -> Item? {
    (kind, nib, cellClass, id, data, etag) = (nil, nil, nil, nil, nil, nil)
    errors.removeAll()
    errorCount = 0
    guard tape.kind(item) == .object else {
      report(.invalidRow, pointer, "an item is an object with a kind and its data")
      return nil
    }
    readMembers(of: item, pointer)
    let number = select(pointer)
    guard errorCount == 0, let number, let data = data ?? batch.emptyObject else { return nil }
    return Item(kind: number, data: data, id: id, etag: etag)
  }

  private mutating func readMembers(of item: JSONTape.Index, _ pointer: () -> String) {
    var key = item + 1
    let end = tape.end(item)
    while key < end {
      let value = key + 1
      if !tape.isSuperseded(key) { read(key: key, value: value, pointer) }
      key = tape.end(value)
    }
  }

  private mutating func read(key: JSONTape.Index, value: JSONTape.Index, _ pointer: () -> String) {
    switch tape.nameID(key) {
    case ReservedName.kind:
      kind = value
      requireString(value, "kind", pointer)
    case ReservedName.nib:
      nib = value
      requireString(value, "nib", pointer)
    case ReservedName.class:
      cellClass = value
      requireString(value, "class", pointer)
    case ReservedName.etag:
      etag = value
      requireString(value, "etag", pointer)
    case ReservedName.data:
      data = value
    case ReservedName.id:
      if tape.kind(value) == .array || tape.kind(value) == .object {
        report(
          .invalidRow, { JSONPointer.appending("id", to: pointer()) },
          "id is a string, a number, a truth value or null")
      } else {
        id = value
      }
    default:
      let name = describes ? text(key) : ""
      report(
        .invalidRow, { JSONPointer.appending(name, to: pointer()) },
        "an item has no member \(Excerpt.quoted(name)); its data goes into \"data\"")
    }
  }

  private func text(_ node: JSONTape.Index) -> String { String(decoding: tape.bytes(node), as: UTF8.self) }

  private mutating func requireString(_ value: JSONTape.Index, _ name: String, _ pointer: () -> String) {
    if tape.kind(value) == .string { return }
    report(.invalidRow, { JSONPointer.appending(name, to: pointer()) }, "\(name) is a string")
  }

  /// The number of the kind the item asks for.
  private mutating func select(_ pointer: () -> String) -> UInt32? {
    if nib != nil || cellClass != nil {
      // What is no string is an error already.
      guard errorCount == 0 else { return nil }
      if let number = selected { return number }
      let selection = describes || onUnknownKind != nil ? selection : ""
      report(.unknownKind, pointer, "no cell has \(selection); GET /kinds lists the cells")
      onUnknownKind?(selection)
      return nil
    }
    guard let name = kind ?? batch.defaultKind else {
      report(.invalidRow, pointer, "the item names no kind, and there is no default")
      return nil
    }
    guard tape.kind(name) == .string else { return nil }
    if let number = archive.kindNumber(tape.bytes(name)) { return number }
    let isOwn = kind != nil
    let unknown = describes || onUnknownKind != nil ? text(name) : ""
    report(
      .unknownKind, { isOwn ? JSONPointer.appending("kind", to: pointer()) : pointer() },
      Self.unknownKindDetail(unknown))
    onUnknownKind?(Excerpt.quoted(unknown))
    return nil
  }

  static func unknownKindDetail(_ name: String) -> String {
    "there is no cell of kind \(Excerpt.quoted(name)); GET /kinds lists the kinds"
  }

  /// The first cell of the nib and class that the item names, or the cell of its kind, if it has both.
  private var selected: UInt32? {
    let nib = nib.map(tape.bytes)
    let cellClass = cellClass.map(tape.bytes)
    guard let kind else { return archive.firstKind(nib: nib, class: cellClass) }
    guard let number = archive.kindNumber(tape.bytes(kind)) else { return nil }
    return archive.kind(number, isIn: nib, hasClass: cellClass) ? number : nil
  }

  /// What the item asked for, in words.
  private var selection: String {
    let asked = [("kind", kind), ("nib", nib), ("class", cellClass)]
    let words = asked.compactMap { name, value in value.map { "\(name) \(Excerpt.quoted(text($0)))" } }
    return words.joined(separator: " and ")
  }

  private mutating func report(
    _ code: Problem.Code, _ pointer: () -> String, _ detail: @autoclosure () -> String
  ) {
    errorCount += 1
    // An item may have thousands of members that do not belong; more than are printed are not described.
    guard describes, errors.count < Problem.printedErrors else { return }
    errors.append(Problem.Entry(pointer: pointer(), code: code, detail: detail()))
  }
}
