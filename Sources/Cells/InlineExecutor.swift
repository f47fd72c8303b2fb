/// Runs a factory on the calling thread: for single-threaded programs without an event loop.
package final class InlineExecutor: SerialExecutor {
  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
  }

  /// Always isolated, because the program has only one thread.
  package func checkIsolated() {}

  package func isIsolatingCurrentContext() -> Bool? { true }
}
