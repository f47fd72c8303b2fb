import Dispatch

/// Runs a factory on a serial queue: for use in process, where no event loop is at hand.
final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "CellFactory")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
