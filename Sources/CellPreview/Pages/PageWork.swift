import CellServer
import Cells
import Synchronization

/// An answer that the preview's thread makes, so that the event loop goes on.
final class PageWork: AnswerWork {
  /// What the thread makes.
  struct Page: Sendable {
    var status = 200
    var contentType: StaticString = "text/html; charset=utf-8"
    var policy: String
    var bytes: SharedBuffer
  }

  /// The page once it is made. Shared with the thread.
  private final class Result: Sendable {
    let page = Mutex<Page?>(nil)
  }

  private let result = Result()
  private let budget: MemoryBudget

  init(on queue: ThreadQueue, budget: MemoryBudget, make: @escaping @Sendable () -> Page) {
    self.budget = budget
    queue.run { [result] in
      let page = make()
      result.page.withLock { $0 = page }
    }
  }

  var isWaiting: Bool { true }

  func advance(over body: inout ByteBuffer, sharers: Int, factory: isolated CellFactory) -> Answer? {
    guard let page = result.page.withLock({ $0.take() }) else { return nil }
    let answer = Answer(
      status: page.status, contentType: page.contentType,
      headers: [("Cache-Control", "no-store"), ("Content-Security-Policy", page.policy)])
    return StoredBody.answer(answer, StoredBytes(page.bytes), isShared: false, budget: budget)
  }

  /// Never called: another work sends the body.
  func write(
    into output: inout ByteBuffer, bytes: Int, over body: inout ByteBuffer, sharers: Int,
    factory: isolated CellFactory
  ) -> BodyProgress { .complete }

  func end() {}
}
