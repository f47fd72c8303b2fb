import CRowPlan
import CellTemplates

/// Records where a row's texts appear in its output. The rest of the output comes only from the template and
/// becomes the plan's literals.
struct PlanRecorder {
  /// Limits of a plan: bytes of output without the row's texts, nodes of the row, and holes.
  private static let mostLiteralBytes = 64 << 10
  static let mostNodes = 512
  private static let mostHoles = 512
  private static let mostGuards = 32
  /// Literals of all guards: rows are compared with them whether or not they have a plan.
  private static let mostLiterals = 48

  private struct Hole {
    var range: Range<Int>
    var value: RenderValue
    var escaper: Escaper
    var format: ShownAs?
  }

  /// How a value is shown.
  struct ShownAs: BitwiseCopyable {
    /// The archive's number.
    let number: UInt32
    /// The value of the currency that the format names; missing if it names none.
    var currency = RenderValue.missing
    /// Whether it is the attribute that programs read.
    var isMachine = false
    /// Whether it is printed in C.
    var isPrintedInC = true
    /// Whether what is printed needs no escape.
    var isPlain = false
  }

  private var row: JSONTape.Index = 0
  private var nodeCount = 0
  private var holes: [Hole] = []
  private var guards: [Guard] = []
  private var literalCount = 0
  /// Bytes of output in the holes.
  private var holeBytes = 0
  /// Turns used to read the texts; another row will use a different number.
  private var iterationsOfHoles = 0
  /// Whether the output depends only on the row, the archive and the terms, and the number of texts is within
  /// the limit.
  private var isSound = true

  /// - Parameter nodeCount: the number of nodes of the row.
  mutating func begin(_ row: JSONTape.Index, nodeCount: Int) {
    self.row = row
    self.nodeCount = nodeCount
    holes.removeAll(keepingCapacity: true)
    guards.removeAll(keepingCapacity: true)
    (holeBytes, iterationsOfHoles, literalCount) = (0, 0, 0)
    isSound = true
  }

  /// Records that a value was written.
  /// - Parameter range: its range in the output buffer, in bytes.
  mutating func note(
    _ value: RenderValue, _ escaper: Escaper, _ format: ShownAs? = nil, at range: Range<Int>, iterations: Int
  ) {
    // A node inside the row exists in every row of the same shape.
    let isInRow = self.isInRow(value) && self.isInRow(format?.currency ?? .missing)
    if !isInRow || holes.count == Self.mostHoles { isSound = false }
    // Only what `CRowPlan` prints has the text of its currency at hand.
    if let format, !format.currency.isMissing, !ShownAs.isFormatted(through: escaper) { isSound = false }
    if !isSound { return }
    holes.append(Hole(range: range, value: value, escaper: escaper, format: format))
    holeBytes += range.count
    iterationsOfHoles += iterations
  }

  /// Records that a value was written that is the same in every row of the shape.
  mutating func noteConstant(_ value: RenderValue) {
    if !isInRow(value) { isSound = false }
  }

  private func isInRow(_ value: RenderValue) -> Bool {
    !value.isNode || value.raw >= row && Int(value.raw - row) < nodeCount
  }

  /// Records that the output depends on a comparison.
  /// - Parameter literals: how many the condition has.
  mutating func note(_ guarded: Guard, literals: Int) {
    literalCount += literals
    if literalCount > Self.mostLiterals { isSound = false }
    let texts = [guarded.value, guarded.other ?? guarded.value]
    let isInRow = texts.allSatisfy { $0 >= row && Int($0 - row) < nodeCount }
    if !isInRow || guards.count == Self.mostGuards { isSound = false }
    if isSound { guards.append(guarded) }
  }

  /// Records that the output depends on something that is not part of a shape: a text's content, the row's
  /// index, the owner.
  mutating func noteForeign() { isSound = false }

  /// Whether the row, whose output has `outputBytes` bytes, can become a plan. Depends only on its shape, not
  /// on its texts.
  func canPlan(outputBytes: Int) -> Bool { isSound && outputBytes - holeBytes <= Self.mostLiteralBytes }

  /// The plan of the row, which must have been rendered and must be plannable.
  /// - Parameters:
  ///   - output: the whole buffer that the row was rendered into.
  ///   - start: where the row's output starts.
  ///   - cost: the iterations that rendering took, without those for name lookups, and what it did not find.
  func plan(
    on tape: JSONTape, _ terms: PlanTerms, from output: UnsafeRawBufferPointer,
    at start: Int, _ cost: PlanCost
  ) -> RowPlan {
    var pieces: [cf_piece] = []
    var literals: [UInt8] = []
    var offset = start
    func add(
      _ code: cf_piece_code, _ escaper: Escaper, _ value: UInt32, _ format: ShownAs? = nil,
      literalUpTo end: Int
    ) {
      pieces.append(
        cf_piece(
          literal: UInt32(literals.count), literal_count: UInt32(end - offset), value: value,
          code: UInt8(code.rawValue), escaper: escaper.index,
          format: format.map { UInt16($0.number + 1) } ?? 0))
      literals += output[offset..<end]
    }
    for hole in holes {
      let value = hole.value.isNode ? hole.value.raw - row : hole.value.raw
      let code =
        hole.format.map { $0.code(through: hole.escaper) } ?? Self.code(hole.value, hole.escaper, on: tape)
      add(code, hole.escaper, value, hole.format, literalUpTo: hole.range.lowerBound)
      if code == CF_PIECE_FORMAT_PAIR, let currency = hole.format?.currency {
        offset = hole.range.lowerBound
        add(CF_PIECE_OTHER, .none, currency.raw - row, literalUpTo: offset)
      }
      offset = hole.range.upperBound
    }
    add(CF_PIECE_END, .none, 0, literalUpTo: output.count)
    return RowPlan(
      for: row, on: tape, terms, PlanCost(iterations: cost.iterations - iterationsOfHoles, tally: cost.tally),
      guards: guards.map { $0.entry(for: row, on: tape, terms.conditions) }, pieces: pieces,
      literals: literals)
  }

  /// What `CRowPlan` does with the value.
  private static func code(_ value: RenderValue, _ escaper: Escaper, on tape: JSONTape) -> cf_piece_code {
    guard value.isNode, tape.kind(value.raw).isText else { return CF_PIECE_OTHER }
    // Numbers contain no characters that are special in markup.
    if escaper.isMarkup, tape.kind(value.raw) == .number { return CF_PIECE_PLAIN }
    return switch escaper {
    case .html: CF_PIECE_HTML
    case .attribute: CF_PIECE_ATTRIBUTE
    case .text: CF_PIECE_TEXT
    case .none: CF_PIECE_PLAIN
    case .url: CF_PIECE_URL
    case .urlPart: CF_PIECE_URL_PART
    case .urlComponent: CF_PIECE_URL_COMPONENT
    default: CF_PIECE_OTHER
    }
  }
}

extension PlanRecorder.ShownAs {
  /// What `CRowPlan` does with the value. It has the escapers of markup for what formats print.
  fileprivate func code(through escaper: Escaper) -> cf_piece_code {
    if !isPrintedInC { return CF_PIECE_OTHER }
    if isMachine { return CF_PIECE_MACHINE }
    if !Self.isFormatted(through: escaper) { return CF_PIECE_OTHER }
    if !currency.isMissing { return CF_PIECE_FORMAT_PAIR }
    return isPlain ? CF_PIECE_PLAIN_FORMAT : CF_PIECE_FORMAT
  }

  /// Whether `CRowPlan` has the escaper for what formats print.
  fileprivate static func isFormatted(through escaper: Escaper) -> Bool {
    escaper == .none || escaper.isMarkup
  }
}
