/// Runs a factory on whatever thread asks: for commands, which have one thread and no event loop.
final class InlineExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
  }

  /// The command's one thread is always the right one.
  func checkIsolated() {}

  func isIsolatingCurrentContext() -> Bool? { true }
}
