/// How much work, and how much memory, one load of templates or of an archive may take.
///
/// Whoever loads makes one and hands it down; the loops of loading tell it what they do, and end when it is spent. What
/// they have made by then is thrown away: `fault` says why, and names the file that was being worked on. The clock is
/// the caller's, so that the compiler knows none. Not thread-safe: a load runs on one thread.
package final class LoadBudget {
  /// Pieces of templates in all: tags, lines, elements, and what else becomes an object of its own while templates are
  /// compiled, by their weights below. Measured, a piece takes 50 to 250 bytes: 440 MB at the most.
  package static let pieceLimit = 7 << 18
  /// A cell of a nib, or a file: what is kept of it, in pieces.
  package static let cellPieces = 8
  /// A block, or an override of one: what is kept to bring the two together, in pieces.
  package static let blockPieces = 5
  /// Of all files together, in bytes: each takes up to a few times its size, whatever is in it.
  package static let textLimitBytes = 32 << 20
  /// Of all images that nibs embed, in bytes, each as often as it stands in a cell and is read there.
  package static let imageLimitBytes = 32 << 20
  /// Units of work between two looks at the clock: a unit is about a byte that is read or a node that is written.
  package static let stride = 1 << 14

  private let stride: Int
  private let isOver: () -> Bool
  private let overMessage: String
  private let overHint: String
  private var untilLook: Int
  private var pieces = 0
  private var textBytes = 0
  private var imageBytes = 0

  /// The file that is being worked on.
  package var file = ""
  /// Why loading has ended before its end.
  package private(set) var fault: Diagnostic?

  /// - Parameters:
  ///   - isOver: whether the time is up; asked now and then.
  ///   - message: what is said then.
  ///   - hint: how to mend it.
  ///   - stride: units of work between two looks.
  package init(
    isOver: @escaping () -> Bool, message: String, hint: String, stride: Int = LoadBudget.stride
  ) {
    self.isOver = isOver
    self.stride = stride
    untilLook = stride
    overMessage = message
    overHint = hint
  }

  /// One without a limit of time.
  package convenience init() {
    self.init(isOver: { false }, message: "", hint: "")
  }

  package var isSpent: Bool { fault != nil }

  /// Notes units of work that are done, or begin. False where the budget is spent: the work is to end.
  @discardableResult
  package func spend(_ units: Int = 1) -> Bool {
    untilLook -= units
    return untilLook > 0 ? fault == nil : look()
  }

  private func look() -> Bool {
    untilLook = stride
    if fault == nil, isOver() { end(overMessage, overHint) }
    return fault == nil
  }

  /// Notes pieces that are kept while the load goes on. False where the budget is spent.
  @discardableResult
  package func keep(pieces count: Int) -> Bool {
    pieces += count
    if pieces > Self.pieceLimit {
      end(
        "the templates hold more than \(Self.pieceLimit) tags, lines and elements in all",
        "split the folder among several services, or write fewer and shorter templates")
    }
    return spend(count)
  }

  /// Notes a file's text. False where the budget is spent.
  package func keep(textBytes count: Int) -> Bool {
    textBytes += count
    if textBytes > Self.textLimitBytes {
      end(
        "the files of the folder hold more than \(Self.textLimitBytes >> 20) MiB in all",
        "split the folder among several services; serve large texts and styles as files")
    }
    return keep(pieces: Self.cellPieces)
  }

  /// Notes an image that is written into a cell. False where the budget is spent.
  package func keep(imageBytes count: Int) -> Bool {
    imageBytes += count
    if imageBytes > Self.imageLimitBytes {
      end(
        "the nibs embed more than \(Self.imageLimitBytes >> 20) MiB of images in all",
        "serve images that stand in many cells as files, and drop data-embed")
    }
    return spend(count)
  }

  /// What has been kept so far is let go; the time that was taken is not given back.
  package func forgetKept() {
    pieces = 0
    imageBytes = 0
  }

  private func end(_ message: String, _ hint: String) {
    if fault == nil { fault = Diagnostic(.loadLimit, file: file, message: message, hint: hint) }
  }
}
