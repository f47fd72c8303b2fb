import CellTemplates

/// The names that a kind reads of its rows, as a graph that values are followed through.
///
/// A vertex is a value that names are looked up in: a row, or the value of an outlet, a section or the start of a
/// dotted name. A value may be at several vertices at once, because a Mustache name is looked up in each object around it.
/// Where it is not certain what is read, as much as possible is.
struct ReadNames {
  struct Vertex {
    /// The vertices of a name's value.
    var members: [UInt32: [Int]] = [:]
    /// Vertices that every value here is also at.
    var also: [Int] = []
    /// Vertices that a value here is also at if its member of this name is there and is no object: names inside an outlet
    /// are then looked up around it.
    var unlessObject: [UInt32: [Int]] = [:]
    /// Whether everything in the value is read, because it is printed as JSON.
    var isWhole = false
  }

  /// The most names, each counted wherever it may be looked up. Parts that name nothing, such as `{{@index}}`, count as
  /// names. Reading a kind then takes less than a turn of the event loop. Of a kind with more, any name counts as read.
  static let nameLimit = 1 << 13
  /// So many bytes of names take as long as a name more.
  private static let bytesPerName = 256

  /// A value in which everything is read.
  static let whole = 0
  /// A value in which nothing is read.
  static let nothing = 1

  private(set) var vertices = [Vertex(isWhole: true), Vertex()]
  /// The vertices of a row.
  private(set) var row: [Int] = []
  /// The vertices that any value is at: what overrides look up depends on other templates.
  private(set) var everywhere: [Int] = []

  /// The vertices of a kind's row.
  struct Kind {
    /// A row.
    let row: Int
    /// A row, or an object around an outlet or a section in which the kind is called: its names may be looked up there, but what
    /// the kind prints whole is its row.
    let names: Int
    /// A value around the row of a partial: its names are looked up here if the row does not have them.
    let around: Int
    /// Any value, for the names in overrides.
    let anywhere: Int
    /// A section's or outlet's value around a block of the kind, or of a parent that it calls: what `.` is in an override of it.
    let blocks: Int
  }

  private var kinds: [UInt32: Kind] = [:]
  private var waiting: [UInt32] = []
  private var paths: [Segment: Int] = [:]
  private var count = 0

  private struct Segment: Hashable {
    let vertex: Int
    let name: UInt32
  }

  /// Cost: the names, times how deep outlets and sections are nested.
  init(of kind: UInt32, in archive: CellArchive, names: JSONNames) {
    let own = vertices(of: kind)
    while let next = waiting.popLast(), !isTooLarge {
      var reader = PartReader(vertices(of: next), archive, names)
      let (entry, parts) = (archive.entry(ofKind: next), archive.tables.$parts)
      for number in Int(entry.partStart)..<Int(entry.partStart) + Int(entry.partCount) {
        if isTooLarge { break }
        read(parts[number], by: &reader)
      }
    }
    if isTooLarge {
      // Nothing else is looked at.
      vertices.removeLast(vertices.count - 2)
      kinds = [:]
    }
    paths = [:]
    row = isTooLarge ? [Self.whole] : [own.row]
    everywhere = kinds.values.map(\.anywhere).filter {
      !vertices[$0].members.isEmpty || !vertices[$0].also.isEmpty
    }
  }

  /// Reads a part, which counts at least once, whatever it adds.
  private mutating func read(_ part: PartEntry, by reader: inout PartReader) {
    count += Int(part.name.count) / Self.bytesPerName
    if isTooLarge { return }
    let before = count
    reader.read(part, into: &self)
    if count == before { count += 1 }
  }

  var isTooLarge: Bool { count > Self.nameLimit }

  /// The names, each counted wherever it may be looked up, and the vertices; what names nothing counts, too.
  var size: Int { vertices.count + (isTooLarge ? 0 : count) }

  mutating func addVertex() -> Int {
    count += 1
    vertices.append(Vertex())
    return vertices.count - 1
  }

  mutating func vertices(of kind: UInt32) -> Kind {
    if let known = kinds[kind] { return known }
    let new = Kind(
      row: addVertex(), names: addVertex(), around: addVertex(), anywhere: addVertex(), blocks: addVertex())
    add(new.names, at: new.row)
    kinds[kind] = new
    waiting.append(kind)
    return new
  }

  mutating func add(_ also: Int, at vertex: Int) {
    count += 1
    vertices[vertex].also.append(also)
  }

  mutating func add(_ around: Int, at vertex: Int, unlessObject name: UInt32) {
    count += 1
    vertices[vertex].unlessObject[name, default: []].append(around)
  }

  mutating func setWhole(_ vertex: Int) {
    count += 1
    vertices[vertex].isWhole = true
  }

  /// Adds a path, whose value is at `target`.
  mutating func add(_ path: [UInt32], at vertex: Int, to target: Int) {
    guard let last = path.last else { return }
    var vertex = vertex
    for name in path.dropLast() where !isTooLarge {
      let segment = Segment(vertex: vertex, name: name)
      let inner = paths[segment] ?? addVertex()
      if paths.updateValue(inner, forKey: segment) == nil { add(inner, named: name, at: vertex) }
      vertex = inner
    }
    add(target, named: last, at: vertex)
  }

  private mutating func add(_ target: Int, named name: UInt32, at vertex: Int) {
    count += 1
    let known = vertices[vertex].members[name]
    if target <= Self.nothing, known?.contains(where: { $0 <= target }) == true { return }
    vertices[vertex].members[name, default: []].append(target)
  }
}
