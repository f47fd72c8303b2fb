import CRowPlan
import CellTemplates

/// A position in a plan: the next piece of a row. Valid as long as the plan.
struct PlanPosition: BitwiseCopyable {
  // Owned by the shelf, which frees a plan only to record another.
  private let plan: UnsafePointer<RowPlan>
  private var piece: UnsafePointer<cf_piece>

  @inline(__always)
  init(startOf plan: UnsafePointer<RowPlan>) { self.init(plan: plan, piece: plan.pointee.pieces) }

  @inline(__always)
  init(plan: UnsafePointer<RowPlan>, piece: UnsafePointer<cf_piece>) {
    self.plan = plan
    self.piece = piece
  }

  /// The iterations that a row of the plan takes, without those for reading long texts.
  @inline(__always)
  var iterations: Int { Int(plan.pointee.iterations) }

  /// What a row of the plan does not find.
  @inline(__always)
  var tally: ValueTally {
    ValueTally(missing: Int(plan.pointee.missing), drawn: Int(plan.pointee.drawn))
  }

  /// Whether nothing is left.
  @inline(__always)
  var isAtEnd: Bool { piece == plan.pointee.end }

  /// Copies pieces from the next one on, up to one that must be printed in another way or may lack room.
  /// There must be room, or none.
  @inline(__always)
  mutating func copyPieces(
    of row: JSONTape.Index, on tape: JSONTape, _ formats: UnsafePointer<cf_formats>?,
    to cursor: inout OutputCursor
  ) {
    let progress = cf_render_pieces(
      piece, plan.pointee.literals, tape.nodes(from: row), tape.start, formats, cursor.bytes, cursor.byteLimit
    )
    cursor.advance(to: progress.target)
    piece = progress.piece
  }

  /// The bytes before the value of the next piece, followed by padding.
  var literal: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: plan.pointee.literals + Int(piece.pointee.literal), count: Int(piece.pointee.literal_count))
  }

  /// Whether the next piece is the last, which has no value.
  var isLast: Bool { UInt32(piece.pointee.code) == CF_PIECE_END.rawValue }

  /// The value of the next piece in a row.
  func value(in row: JSONTape.Index) -> RenderValue {
    let value = RenderValue(raw: piece.pointee.value)
    return value.isNode ? RenderValue(node: row &+ value.raw) : value
  }

  var escaper: Escaper { piece.pointee.verifiedEscaper }

  /// How the value of the next piece is shown; nil if it is shown as it is.
  func format(in row: JSONTape.Index) -> PlanRecorder.ShownAs? {
    if piece.pointee.format == 0 { return nil }
    let number = UInt32(piece.pointee.format - 1)
    let code = UInt32(piece.pointee.code)
    let currency = code == CF_PIECE_FORMAT_PAIR.rawValue ? RenderValue(node: row &+ piece[1].value) : .missing
    return PlanRecorder.ShownAs(
      number: number, currency: currency, isMachine: code == CF_PIECE_MACHINE.rawValue)
  }

  /// Moves on to the piece after the next one. Not at the last.
  mutating func skipPiece() {
    piece += UInt32(piece.pointee.code) == CF_PIECE_FORMAT_PAIR.rawValue ? 2 : 1
  }
}
