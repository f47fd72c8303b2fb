import CMarkup
import CellTemplates

/// Takes down where a row's texts go into its output; the rest of the output is the template's alone, and so the plan's
/// literals.
struct PlanRecorder {
  /// Of the output but the row's own texts, in bytes; and of the row.
  private static let mostLiteralBytes = 64 << 10
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
  /// Bytes of output that go into them.
  private var holeBytes = 0
  /// Turns that reading the texts took: another row's will take others.
  private var turnsOfHoles = 0
  /// Whether the output depends on nothing but the row, the archive and the terms, and its texts are not too many.
  private var isSound = true

  /// - Parameter nodeCount: nodes of the row.
  mutating func begin(_ row: JSONTape.Index, nodeCount: Int) {
    self.row = row
    self.nodeCount = nodeCount
    holes.removeAll(keepingCapacity: true)
    (holeBytes, turnsOfHoles) = (0, 0)
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
    holeBytes += range.count
    turnsOfHoles += turns
  }

  /// Notes that something was asked that no shape tells: a text's content, the row's place, the owner.
  mutating func noteForeign() { isSound = false }

  /// Whether a plan can be made of the row, which was drawn into `outputBytes`. Its shape decides that, not its texts.
  func canPlan(outputBytes: Int) -> Bool { isSound && outputBytes - holeBytes <= Self.mostLiteralBytes }

  /// The plan of the row, which was drawn and sound.
  /// - Parameters:
  ///   - output: all of the buffer it was drawn into.
  ///   - start: where its output begins there.
  ///   - turns: what drawing it took, but for looking names up.
  func plan(
    on tape: JSONTape, _ terms: PlanTerms, from output: UnsafeRawBufferPointer,
    at start: Int, turns: Int
  ) -> RowPlan {
    var pieces: [cf_piece] = []
    var literals: [UInt8] = []
    var place = start
    func add(_ code: cf_piece_code, _ escaper: Escaper, _ value: UInt32, literalUpTo end: Int) {
      pieces.append(
        cf_piece(
          literal: UInt32(literals.count), literal_count: UInt32(end - place), value: value,
          code: UInt8(code.rawValue), escaper: escaper.index, unused: 0))
      literals += output[place..<end]
    }
    for hole in holes {
      let value = hole.value.isNode ? hole.value.raw - row : hole.value.raw
      add(
        Self.code(hole.value, hole.escaper, on: tape), hole.escaper, value, literalUpTo: hole.range.lowerBound
      )
      place = hole.range.upperBound
    }
    add(CF_PIECE_END, .none, 0, literalUpTo: output.count)
    return RowPlan(
      for: row, on: tape, terms, turns: turns - turnsOfHoles, pieces: pieces, literals: literals)
  }

  /// What `CMarkup` does for the value.
  private static func code(_ value: RenderValue, _ escaper: Escaper, on tape: JSONTape) -> cf_piece_code {
    guard value.isNode, tape.kind(value.raw).isText else { return CF_PIECE_OTHER }
    // No character of a number means anything in markup.
    if escaper.isMarkup, tape.kind(value.raw) == .number { return CF_PIECE_PLAIN }
    return switch escaper {
    case .html: CF_PIECE_HTML
    case .attribute: CF_PIECE_ATTRIBUTE
    case .text: CF_PIECE_TEXT
    case .none: CF_PIECE_PLAIN
    case .url: CF_PIECE_URL
    case .urlPart: CF_PIECE_URL_PART
    case .urlComponent: CF_PIECE_URL_COMPONENT
    case .rawHTML, .urlAfterSlash, .urlSegment, .sameOriginURL, .fragmentURL, .urlList, .srcset,
      .srcsetDescriptor, .srcsetURL, .srcsetPart, .srcsetAfterSlash, .srcsetSegment, .urlHost,
      .style, .json, .discard:
      CF_PIECE_OTHER
    }
  }
}
