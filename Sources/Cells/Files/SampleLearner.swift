import CellTemplates

/// Learns the types of sample rows.
struct SampleLearner {
  /// The largest sample that is learnt from, in bytes. It bounds the memory of parsing.
  static let limitBytes = 1 << 20
  /// The most objects and lists in each other. What is deeper is open.
  static let depthLimit = 32

  private struct Key: Hashable {
    let parent: Int
    /// nil for items.
    let name: [UInt8]?
  }

  private let tape: JSONTape
  private var types = SampleTypes()
  private var known: [Key: Int] = [:]

  /// What the rows of a sample show; nil if it is no array of rows. Cost: linear in its bytes.
  static func types(of sample: [UInt8]) -> SampleTypes? {
    var text = ByteBuffer(capacity: sample.count)
    text.append(sample)
    let parser = JSONParser()
    let names = JSONNames([])
    guard
      let root = try? parser.parse(
        &text, in: 0..<text.count, names: names, depthLimit: JSONParser.defaultDepthLimit)
    else { return nil }
    let tape = parser.tape(over: text)
    guard tape.kind(root) == .array, tape.count(root) > 0 else { return nil }
    var learner = SampleLearner(tape: tape)
    learner.learn(root)
    learner.types.examples = learner.examples(of: root)
    // The tape points into both.
    withExtendedLifetime(parser) {}
    text.truncate(to: 0)
    return learner.types
  }

  private init(tape: JSONTape) { self.tape = tape }

  private mutating func learn(_ root: JSONTape.Index) {
    types.entries.append(SampleTypes.Entry(parent: nil, name: [], types: []))
    // The values that wait, with their entries.
    var waiting = elements(of: root).map { (node: $0, entry: 0, depth: 0) }
    waiting.reverse()
    while let (node, entry, depth) = waiting.popLast() {
      types.entries[entry].types.formUnion(type(of: node))
      guard tape.kind(node).holdsValues else { continue }
      if depth == Self.depthLimit {
        types.entries[entry].types.insert(.open)
        continue
      }
      let start = waiting.count
      if tape.kind(node) == .array {
        for item in elements(of: node) {
          guard let position = position(of: nil, in: entry) else { break }
          waiting.append((item, position, depth + 1))
        }
      } else {
        for (key, value) in members(of: node) {
          if let position = position(of: key, in: entry) { waiting.append((value, position, depth + 1)) }
        }
      }
      waiting[start...].reverse()
    }
  }

  /// The first rows, as many as there is room for.
  private func examples(of root: JSONTape.Index) -> [UInt8] {
    var output = ByteBuffer()
    var end = 0
    for row in elements(of: root) {
      if output.count > 0 { output.append(byte: UInt8(ascii: ",")) }
      tape.appendJSON(row, to: &output)
      if output.count > SampleTypes.exampleLimitBytes { break }
      end = output.count
    }
    return Array(output.bytes[..<end])
  }

  private func elements(of list: JSONTape.Index) -> [JSONTape.Index] { tape.elements(of: list) }

  /// The members of an object, each name once, with the value that counts.
  private func members(of object: JSONTape.Index) -> [(key: JSONTape.Index, value: JSONTape.Index)] {
    var keys: [JSONTape.Index] = []
    var key = object + 1
    while key < tape.end(object) {
      keys.append(key)
      key = tape.end(key + 1)
    }
    let table = MemberTable(members: keys.count)
    let hashes = keys.map { NameHash.whole(of: tape.bytes($0)) }
    for (key, hash) in zip(keys, hashes) { table.note(key, hash: hash, on: tape) }
    return zip(keys, hashes).compactMap { key, hash in
      table.value(of: key, hash: hash, on: tape).map { (key, $0) }
    }
  }

  /// The entry of a member, or of items; nil if there is no room for it.
  private mutating func position(of key: JSONTape.Index?, in parent: Int) -> Int? {
    let name = key.map { Array(tape.bytes($0)) }
    if let position = known[Key(parent: parent, name: name)] { return position }
    guard types.entries.count < SampleTypes.kindLimit, name?.count ?? 0 <= SampleTypes.nameLimitBytes else {
      types.entries[parent].types.insert(.open)
      return nil
    }
    let position = types.entries.count
    types.entries.append(SampleTypes.Entry(parent: parent, name: name ?? [], types: name == nil ? .item : []))
    known[Key(parent: parent, name: name)] = position
    return position
  }

  private func type(of node: JSONTape.Index) -> SampleTypeEntry.Types {
    switch tape.kind(node) {
    case .null: .null
    case .true, .false: .boolean
    case .string, .key: .string
    case .array: .list
    case .object: .object
    case .number: isInteger(tape.bytes(node)) ? .integer : .number
    }
  }

  private func isInteger(_ digits: UnsafeRawBufferPointer) -> Bool {
    digits.count <= 16 && digits.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
  }
}
