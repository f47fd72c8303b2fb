/// Runs a factory on whatever thread asks: for programs of one thread, without an event loop.
package final class InlineExecutor: SerialExecutor {
  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
  }

  /// The program's one thread is always the right one.
  package func checkIsolated() {}

  package func isIsolatingCurrentContext() -> Bool? { true }
}
