/// The bytes in flight of one worker: held bodies, what the parser needs, answers not yet sent.
///
/// Not `Sendable`: only the worker's thread counts. Whoever reserves or charges gives the same amount back.
package final class MemoryBudget {
  package let limitBytes: Int
  /// Where the worker counts what is done with these bytes.
  let statistics: WorkerStatistics
  // Unchecked: no method calls out while it has hold of it.
  @exclusivity(unchecked) package private(set) var heldBytes = 0

  package init(limitBytes: Int, statistics: WorkerStatistics = WorkerStatistics()) {
    self.limitBytes = limitBytes
    self.statistics = statistics
  }

  /// Counts `bytes` if they fit under the limit; `false`: nothing was counted.
  package func reserve(_ bytes: Int) -> Bool {
    guard bytes <= limitBytes - heldBytes else { return false }
    heldBytes += bytes
    return true
  }

  /// Counts memory that is held already, over the limit if need be: an answer that is made can only be sent.
  package func charge(_ bytes: Int) { heldBytes += bytes }

  package func release(_ bytes: Int) {
    heldBytes -= bytes
    precondition(heldBytes >= 0, "more was given back than was taken")
  }
}
