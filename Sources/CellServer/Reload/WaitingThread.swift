import Dispatch
import Synchronization

/// Runs a task on the thread that waits for it. So the task needs no other thread, which the process might not be allowed.
final class WaitingThread: TaskExecutor {
  private struct Work {
    var jobs: [UnownedJob] = []
    var isFinished = false
  }

  private let work = Mutex(Work())
  private let signal = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    work.withLock { $0.jobs.append(job) }
    signal.signal()
  }

  /// Called by the task as the last thing it does.
  func finish() {
    work.withLock { $0.isFinished = true }
    signal.signal()
  }

  /// Runs what is enqueued until the task is finished.
  func run() {
    while true {
      signal.wait()
      let found = work.withLock { work in
        defer { work.jobs = [] }
        return work
      }
      for job in found.jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      if found.isFinished { return }
    }
  }
}
