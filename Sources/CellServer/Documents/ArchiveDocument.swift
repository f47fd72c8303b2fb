import CellTemplates
import Cells
import Synchronization

/// One document that describes an archive. Its length and hash are always known. Its bytes are in memory while a
/// reader borrows the document, and as long as there is room to keep them.
///
/// May be used from any thread. Every `borrow` needs one `giveBack`.
final class ArchiveDocument: Sendable {
  private struct State {
    /// The uncompressed bytes.
    var content: SharedBuffer?
    var borrowers = 0
    var isKept = false
    var isBeingMade = false
  }

  let count: Int
  /// The hash of the bytes, in hexadecimal.
  let hash: String
  private let state: Mutex<State>
  /// The bytes in memory, of all documents.
  private let heldBytes: Tally

  /// A counter for several threads.
  final class Tally: Sendable {
    private let atomic = Atomic<Int>(0)

    var value: Int { atomic.load(ordering: .relaxed) }
    func add(_ amount: Int) { atomic.add(amount, ordering: .relaxed) }
  }

  /// - Parameter content: the bytes, if they are to be kept.
  init(count: Int, hash: ContentHash, content: SharedBuffer? = nil, heldBytes: Tally) {
    self.count = count
    self.hash = hash.hex
    self.heldBytes = heldBytes
    state = Mutex(State(content: content, isKept: content != nil))
    if content != nil { heldBytes.add(count) }
  }

  deinit {
    if state.withLock({ $0.content != nil }) { heldBytes.add(-count) }
  }

  /// Keeps the bytes in memory, once they are made, until `giveBack`.
  func borrow() { state.withLock { $0.borrowers += 1 } }

  func giveBack() {
    state.withLock { state in
      state.borrowers -= 1
      drop(&state)
    }
  }

  /// The bytes, for a borrower.
  /// - Parameter make: starts making the bytes; `fill` must follow. Called only if nobody makes them already.
  /// - Returns: nil until the bytes are made.
  func content(make: () -> Void) -> SharedBuffer? {
    let (content, isFirst) = state.withLock { state in
      let isFirst = state.content == nil && !state.isBeingMade
      if isFirst { state.isBeingMade = true }
      return (state.content, isFirst)
    }
    if isFirst { make() }
    return content
  }

  /// Whether all borrowers left before the bytes were made. If so, the next call of `content` starts again.
  func isAbandoned() -> Bool {
    state.withLock { state in
      if state.borrowers == 0 { state.isBeingMade = false }
      return state.borrowers == 0
    }
  }

  /// Stores the bytes. They are kept until `forget`.
  func fill(_ content: SharedBuffer) {
    state.withLock { state in
      state.isBeingMade = false
      state.isKept = true
      state.content = content
      heldBytes.add(count)
    }
  }

  /// Whether the bytes are kept without a borrower.
  var isKept: Bool { state.withLock { $0.isKept } }

  /// Drops the bytes as soon as nobody borrows them.
  func forget() {
    state.withLock { state in
      state.isKept = false
      drop(&state)
    }
  }

  private func drop(_ state: inout State) {
    guard state.content != nil, state.borrowers == 0, !state.isKept else { return }
    state.content = nil
    heldBytes.add(-count)
  }
}
