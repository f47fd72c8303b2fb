import CellServer
import Synchronization

/// The events of a preview, for all open pages. May be used from any thread.
///
/// It keeps the last event of each name, not a history: a page that was away learns how things are now.
final class PreviewEvents: Sendable {
  enum Name: String, CaseIterable {
    /// The cells have changed, or are in order again.
    case reloaded
    /// The files have errors, so the cells stay as they were.
    case failed
    /// The warnings of the files are known.
    case checked
  }

  struct Event {
    /// Events are numbered in the order of their posts, from 1.
    let number: Int
    /// As streams send it.
    let bytes: [UInt8]
  }

  private struct State {
    var number = 0
    /// The last event of each name.
    var last: [Name: Event] = [:]
    var streams = 0
    var resume: @Sendable () -> Void = {}
  }

  /// The most streams at once. Each is a connection that nobody else can use.
  static let streamLimit = 256

  private let state = Mutex(State())

  /// - Parameter resume: makes all open streams ask for what is new.
  func connect(resume: @escaping @Sendable () -> Void) { state.withLock { $0.resume = resume } }

  /// - Parameter data: one JSON value without line breaks.
  func post(_ name: Name, _ data: [UInt8]) {
    let bytes = Array("event: \(name.rawValue)\ndata: ".utf8) + data + Array("\n\n".utf8)
    let resume = state.withLock { state in
      state.number += 1
      // Cells are either in order or not.
      if name == .reloaded { state.last[.failed] = nil }
      state.last[name] = Event(number: state.number, bytes: bytes)
      return state.resume
    }
    resume()
  }

  /// The oldest event after a number; nil if nothing is new.
  func next(after number: Int) -> Event? {
    state.withLock { state in
      state.last.values.filter { $0.number > number }.min { $0.number < $1.number }
    }
  }

  /// Counts a new stream. Returns false if there are too many.
  func open() -> Bool {
    state.withLock { state in
      if state.streams >= Self.streamLimit { return false }
      state.streams += 1
      return true
    }
  }

  func close() { state.withLock { $0.streams -= 1 } }
}
