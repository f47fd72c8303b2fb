import CellTemplates

/// What a kind's cells draw for rows of one shape: runs of bytes that are the same for all of them, and between these the
/// row's own texts, each through its escaper. All that sections, outlets, partials and lines have to decide is decided.
///
/// Holds nothing of a row's texts. Owns its memory; whoever made it deallocates it, once.
struct RowPlan: BitwiseCopyable {
  /// Bytes to copy, and what to do behind them.
  struct Piece: BitwiseCopyable {
    enum Code: UInt8 {
      /// A string through an escaper that replaces characters of markup alone.
      case text
      /// A number where none of its characters means anything.
      case number
      /// Any value.
      case value
      /// Nothing: the row is drawn.
      case end
    }

    var literal: LiteralRef
    /// A node, counted from the row's; else, as of a `RenderValue`, what the loop gives.
    var value: UInt32
    var code: Code
    var escaper: Escaper
  }

  /// What else the plan was made for.
  struct Terms: BitwiseCopyable {
    /// Different for different terms.
    let number: Int

    init(_ limits: RenderLimits) {
      let missing =
        switch limits.missing {
        case .keep: 0
        case .blank: 1
        case .error: 2
        }
      number = limits.partialDepth &* 3 &+ missing
    }
  }

  /// Behind the literals, for copies by vectors.
  private static let padding = 64

  let shape: JSONShape
  let terms: Terms
  /// Turns of loops and calls that a row takes, without those for reading long texts.
  let turns: Int
  // `pieceCount` pieces, the last of them the `end`, and the bytes that they name.
  let pieces: UnsafePointer<Piece>
  let literals: UnsafePointer<UInt8>
  /// Bytes of memory it takes.
  let heldBytes: Int
  /// The number of the plan that the row behind the last one of this plan had.
  var successor = 0

  init(_ shape: JSONShape, _ terms: Terms, turns: Int, pieces: [Piece], literals: [UInt8]) {
    self.shape = shape
    self.terms = terms
    self.turns = turns
    let ownPieces = UnsafeMutablePointer<Piece>.allocate(capacity: pieces.count)
    ownPieces.initialize(from: pieces, count: pieces.count)
    self.pieces = UnsafePointer(ownPieces)
    let ownLiterals = UnsafeMutablePointer<UInt8>.allocate(capacity: literals.count + Self.padding)
    ownLiterals.initialize(repeating: 0, count: literals.count + Self.padding)
    ownLiterals.update(from: literals, count: literals.count)
    self.literals = UnsafePointer(ownLiterals)
    heldBytes = shape.heldBytes + pieces.count * MemoryLayout<Piece>.stride + literals.count + Self.padding
  }

  func deallocate() {
    shape.deallocate()
    pieces.deallocate()
    literals.deallocate()
  }

  /// Whether the row is one that the plan was made for.
  @inline(__always)
  func fits(_ row: JSONTape.Index, nodeCount: Int, on tape: JSONTape, _ terms: Terms) -> Bool {
    shape.nodeCount == nodeCount && self.terms.number == terms.number && shape.matches(row, on: tape)
  }
}
