import CellServer
import Synchronization
import Testing

private actor Counter {
  private let executor: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private(set) var count = 0
  private(set) var order: [Int] = []

  init(on executor: EventLoop) { self.executor = executor }

  func note(_ number: Int) {
    count += 1
    order.append(number)
  }

  nonisolated func isHere() -> Bool {
    preconditionIsolated()
    return assumeIsolated { $0.count > 0 }
  }

  func check() -> Bool { isHere() }
}

@Suite struct TransportEventLoopTests {
  /// Runs a loop on its own thread, like a worker.
  final class Runner: Sendable {
    let loop: EventLoop
    private let isStopped = Atomic<Bool>(false)

    init() throws { loop = try EventLoop() }

    func start() -> TestThread {
      TestThread { [self] in
        loop.adoptCurrentThread()
        while !isStopped.load(ordering: .acquiring) {
          if loop.wait(milliseconds: -1).contains(.jobs) { loop.runJobs() }
        }
        loop.close()
      }
    }

    func stop() {
      isStopped.store(true, ordering: .releasing)
      loop.wake()
    }
  }

  @Test func runsEveryJobOnceAndInOrder() async throws {
    let runner = try Runner()
    let thread = runner.start()
    let counter = Counter(on: runner.loop)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask { for number in 0..<500 { await counter.note(task * 1000 + number) } }
      }
    }
    #expect(await counter.count == 4000)
    let order = await counter.order
    for task in 0..<8 {
      let own = order.filter { $0 / 1000 == task }
      #expect(own == own.sorted() && Set(own).count == 500)
    }
    #expect(await counter.check())
    runner.stop()
    thread.join()
  }

  @Test func jobsAfterTheCloseRunToo() async throws {
    let runner = try Runner()
    let counter = Counter(on: runner.loop)
    let thread = runner.start()
    await counter.note(1)
    runner.stop()
    thread.join()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<100 { group.addTask { await counter.note(number) } }
    }
    #expect(await counter.count == 101)
    #expect(await counter.check())
  }

  @Test func isIsolatedOnItsThreadOnly() async throws {
    let loop = try EventLoop()
    #expect(loop.isIsolatingCurrentContext() == false)
    let result = Mutex<Bool?>(nil)
    let thread = TestThread {
      loop.adoptCurrentThread()
      result.withLock { $0 = loop.isIsolatingCurrentContext() }
      loop.close()
    }
    thread.join()
    #expect(result.withLock { $0 } == true)
    #expect(loop.isIsolatingCurrentContext() == false)
  }
}
