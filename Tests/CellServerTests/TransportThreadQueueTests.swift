import CellServer
import Synchronization
import Testing

@Suite struct TransportThreadQueueTests {
  private final class Order: Sendable {
    private let numbers = Mutex<[Int]>([])
    var all: [Int] { numbers.withLock { $0 } }
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
  }

  @Test func tasksRunInOrderAndNotTooEarly() throws {
    let queue = try ThreadQueue(named: "test")
    let order = Order()
    queue.run(afterSeconds: 0.2) { order.add(1000) }
    queue.run(afterSeconds: 0.1) { order.add(999) }
    for number in 0..<500 { queue.run { order.add(number) } }
    #expect(Patience.awaits { order.all.count == 502 })
    #expect(order.all == Array(0..<500) + [999, 1000])
  }

  @Test func dueTasksRunBeforeTheEndAndNoOthers() throws {
    let order = Order()
    var queue: ThreadQueue? = try ThreadQueue(named: "test")
    queue?.run(afterSeconds: 3600) { order.add(-1) }
    for number in 0..<100 { queue?.run { order.add(number) } }
    queue = nil
    #expect(Patience.awaits { order.all.count == 100 })
    #expect(order.all == Array(0..<100))
  }
}
