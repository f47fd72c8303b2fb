import CellTemplates

/// Takes down where a row's texts go into its output; the rest of the output is the template's alone, and so the plan's
/// literals.
struct PlanRecorder {
  /// Of the output, and of the row.
  static let longestOutput = 64 << 10
  static let mostNodes = 512
  private static let mostHoles = 512

  private struct Hole {
    var range: Range<Int>
    var value: RenderValue
    var escaper: Escaper
  }

  private var row: JSONTape.Index = 0
  private var nodeCount = 0
  private var holes: [Hole] = []
  /// Turns that reading the texts took: another row's will take others.
  private var turnsOfHoles = 0
  /// Whether the output depends on nothing but the row, the archive and the terms.
  private(set) var isSound = true

  /// - Parameter nodeCount: nodes of the row.
  mutating func begin(_ row: JSONTape.Index, nodeCount: Int) {
    self.row = row
    self.nodeCount = nodeCount
    holes.removeAll(keepingCapacity: true)
    turnsOfHoles = 0
    isSound = true
  }

  /// Notes that a value was printed.
  /// - Parameter range: where, as bytes of the output buffer.
  mutating func note(_ value: RenderValue, _ escaper: Escaper, at range: Range<Int>, turns: Int) {
    // What lies in the row lies in every row of its shape.
    let isInRow = !value.isNode || value.raw >= row && Int(value.raw - row) < nodeCount
    if !isInRow || holes.count == Self.mostHoles { isSound = false }
    if !isSound { return }
    holes.append(Hole(range: range, value: value, escaper: escaper))
    turnsOfHoles += turns
  }

  /// Notes that something was asked that no shape tells: a text's content, the row's place, the owner.
  mutating func noteForeign() { isSound = false }

  /// The plan of the row, which was drawn and sound.
  /// - Parameters:
  ///   - output: all of the buffer it was drawn into.
  ///   - start: where its output begins there.
  ///   - turns: what drawing it took.
  func plan(
    on tape: JSONTape, _ terms: RowPlan.Terms, from output: UnsafeRawBufferPointer,
    at start: Int, turns: Int
  ) -> RowPlan {
    var pieces: [RowPlan.Piece] = []
    var literals: [UInt8] = []
    var place = start
    func literal(upTo end: Int) -> LiteralRef {
      let ref = LiteralRef(offset: UInt32(literals.count), count: UInt32(end - place))
      literals += output[place..<end]
      return ref
    }
    for hole in holes {
      let text = literal(upTo: hole.range.lowerBound)
      place = hole.range.upperBound
      let value = hole.value.isNode ? hole.value.raw - row : hole.value.raw
      pieces.append(
        RowPlan.Piece(
          literal: text, value: value, code: Self.code(hole.value, hole.escaper, on: tape),
          escaper: hole.escaper))
    }
    let rest = literal(upTo: output.count)
    pieces.append(RowPlan.Piece(literal: rest, value: 0, code: .end, escaper: .none))
    return RowPlan(
      JSONShape(of: row, on: tape), terms, turns: turns - turnsOfHoles, pieces: pieces, literals: literals)
  }

  private static func code(_ value: RenderValue, _ escaper: Escaper, on tape: JSONTape) -> RowPlan.Piece.Code
  {
    guard value.isNode, escaper.isMarkup else { return .value }
    switch tape.kind(value.raw) {
    case .string: return .text
    case .number: return .number
    default: return .value
    }
  }
}
