import Dispatch

/// Runs a factory on a serial queue: for in-process use without an event loop.
final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "CellFactory")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
