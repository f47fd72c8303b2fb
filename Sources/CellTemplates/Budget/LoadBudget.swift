/// Limits the work and the memory of one load of templates or of an archive.
///
/// The caller creates a budget and passes it down. The loading loops report their work to it and stop when it
/// is spent. Everything made so far is then discarded; `fault` has the reason and names the current file. The
/// clock is the caller's, so that the compiler needs none. Not thread-safe: a load runs on one thread.
package final class LoadBudget {
  /// The limit of template pieces in total: tags, lines, elements, and whatever else becomes an object during
  /// compilation, with the weights below. A piece takes 50 to 250 bytes as measured, so 440 MB at most.
  package static let pieceLimit = 7 << 18
  /// The memory kept for a nib's cell or a file, in pieces.
  package static let cellPieces = 8
  /// The memory kept for a class of a cell, to describe and to select it, in pieces.
  package static let classPieces = 2
  /// The programs that a kind reaches which count as a piece.
  package static let linksPerPiece = 5
  /// The memory kept for a block or an override, to match them, in pieces.
  package static let blockPieces = 5
  /// The memory kept for a context that is not element text besides its tag's attributes, in pieces.
  package static let contextPieces = 3
  /// The memory kept for an open element besides its nodes and attributes, in pieces.
  package static let elementPieces = 2
  /// The memory kept for an attribute that a value may set, in pieces.
  package static let bindPieces = 3
  /// The memory kept for a token or a declaration that is drawn in an attribute to which values add others, in pieces.
  package static let tokenPieces = 1
  /// The memory kept for the format of an outlet, in pieces.
  package static let formatPieces = 4
  /// The words and numbers that conditions and plurals compare with which count as a piece.
  package static let literalsPerPiece = 2
  /// The memory kept for an error or a warning besides its text, in pieces.
  package static let diagnosticPieces = 3
  /// The bytes of a diagnostic's text that count as a piece.
  package static let diagnosticBytesPerPiece = 128
  /// The limit of all files together in bytes. Each takes up to a few times its size, whatever its content.
  package static let textLimitBytes = 32 << 20
  /// The limit of the paths of all files together in bytes. Each is kept a few times: with a file's templates, as its kind, and
  /// in messages.
  package static let pathLimitBytes = 16 << 20
  /// The limit of all embedded images in bytes. An image counts once for each use in a cell.
  package static let imageLimitBytes = 32 << 20
  /// The limit of the static bytes in compiled templates, before equal ones are shared. A template's text
  /// counts once for each context it is compiled for.
  package static let literalLimitBytes = 48 << 20
  /// The limit of the memory of all of these together in bytes, by what each takes at most as measured: pieces 240 bytes,
  /// an image 10 times its size, static bytes 3 times, text once.
  package static let memoryLimitBytes = 460 << 20
  /// Units of work between two clock readings. A unit is about one byte read or one node written.
  package static let stride = 1 << 14

  private let stride: Int
  private let pieceLimit: Int
  private let isOver: () -> Bool
  private let overMessage: String
  private let overHint: String
  private var untilLook: Int
  private var pieces = 0
  private var textBytes = 0
  private var pathBytes = 0
  private var imageBytes = 0
  private var literalBytes = 0

  /// The current file.
  package var file = ""
  /// Why loading was aborted, if it was.
  package private(set) var fault: Diagnostic?

  /// - Parameters:
  ///   - isOver: whether the time is up; called from time to time.
  ///   - message: the message in that case.
  ///   - hint: how to fix it.
  ///   - stride: units of work between two calls of `isOver`.
  ///   - pieceLimit: the limit of pieces; smaller in tests.
  package init(
    isOver: @escaping () -> Bool, message: String, hint: String, stride: Int = LoadBudget.stride,
    pieceLimit: Int = LoadBudget.pieceLimit
  ) {
    self.isOver = isOver
    self.stride = stride
    self.pieceLimit = pieceLimit
    untilLook = stride
    overMessage = message
    overHint = hint
  }

  /// A budget without a time limit.
  package convenience init(pieceLimit: Int = LoadBudget.pieceLimit) {
    self.init(isOver: { false }, message: "", hint: "", pieceLimit: pieceLimit)
  }

  package var isSpent: Bool { fault != nil }

  /// Accounts for units of work done or about to be done. Returns false if the budget is spent, and the work
  /// must stop.
  @discardableResult
  package func spend(_ units: Int = 1) -> Bool {
    untilLook -= units
    return untilLook > 0 ? fault == nil : look()
  }

  /// Asks the clock. Returns false if the budget is spent.
  @discardableResult
  package func look() -> Bool {
    untilLook = stride
    if fault == nil, isOver() { end(overMessage, overHint) }
    return fault == nil
  }

  /// Accounts for pieces kept during the load. Returns false if the budget is spent.
  @discardableResult
  package func keep(pieces count: Int) -> Bool {
    pieces += count
    if pieces > pieceLimit {
      end(
        "the templates have more than \(pieceLimit) tags, lines and elements in total",
        "split the folder between several services, or write fewer and shorter templates")
    }
    checkMemory()
    return spend(count)
  }

  /// Accounts for pieces that are kept no longer.
  package func release(pieces count: Int) { pieces -= count }

  /// Accounts for an error or a warning. Returns false if the budget is spent.
  @discardableResult
  package func keep(_ diagnostic: Diagnostic) -> Bool {
    let bytes = diagnostic.message.utf8.count + diagnostic.hint.utf8.count
    return keep(pieces: Self.diagnosticPieces + bytes / Self.diagnosticBytesPerPiece)
  }

  /// Accounts for static bytes of a compiled template. Returns false if the budget is spent.
  @discardableResult
  package func keep(literalBytes count: Int) -> Bool {
    literalBytes += count
    if literalBytes > Self.literalLimitBytes {
      end(
        "the templates have more than \(Self.literalLimitBytes >> 20) MiB of static text in the places that use it",
        "call large partials and override blocks with large texts in element text, not in many different attributes"
      )
    }
    checkMemory()
    return spend(1 + count >> 4)
  }

  /// Accounts for static bytes that are kept no longer.
  package func release(literalBytes count: Int) { literalBytes -= count }

  /// Accounts for a file's text. Returns false if the budget is spent.
  package func keep(textBytes count: Int) -> Bool {
    textBytes += count
    if textBytes > Self.textLimitBytes {
      end(
        "the files of the folder have more than \(Self.textLimitBytes >> 20) MiB in total",
        "split the folder between several services; serve large texts and styles as files")
    }
    return keep(pieces: Self.cellPieces)
  }

  /// Accounts for the path of a file. Returns false if the budget is spent.
  package func keep(path: String) -> Bool {
    pathBytes += path.utf8.count
    if pathBytes > Self.pathLimitBytes {
      end(
        "the paths of the folder's files have more than \(Self.pathLimitBytes >> 20) MiB in total",
        "use shorter names, or fewer folders within each other")
    }
    return spend(path.utf8.count)
  }

  /// Accounts for an image written into a cell. Returns false if the budget is spent.
  package func keep(imageBytes count: Int) -> Bool {
    imageBytes += count
    if imageBytes > Self.imageLimitBytes {
      end(
        "the nibs embed more than \(Self.imageLimitBytes >> 20) MiB of images in total",
        "serve images used in many cells as files, and remove data-embed")
    }
    checkMemory()
    return spend(count)
  }

  /// Resets the memory accounted for, because it was released. The time spent stays.
  package func forgetKept() {
    pieces = 0
    imageBytes = 0
    literalBytes = 0
  }

  /// Ends the load if its parts, each within its own limit, take too much together.
  private func checkMemory() {
    let templateBytes = pieces * 240 + textBytes
    let (allImages, allLiterals) = (imageBytes * 10, literalBytes * 3)
    if templateBytes + allImages + allLiterals <= Self.memoryLimitBytes { return }
    let parts = [templateBytes, allImages, allLiterals].map { "\($0 >> 20)" }
    end(
      "the folder takes more than \(Self.memoryLimitBytes >> 20) MiB of memory to load: \(parts[0]) for tags, lines and"
        + " elements, \(parts[1]) for embedded images, \(parts[2]) for static text",
      "split the folder between several services, or serve images as files, and remove data-embed")
  }

  private func end(_ message: String, _ hint: String) {
    if fault == nil { fault = Diagnostic(.loadLimit, file: file, message: message, hint: hint) }
  }
}
