import Cells

// The way into the factory: from a callback of the library's, which knows of no task, to what is isolated to the actor.
extension Worker {
  /// Runs `operation` inside the factory, on whose executor's thread a callback runs anyway. `operation` captures nothing:
  /// what it needs is handed to it.
  ///
  /// The same as `assumeIsolated`, whose check costs 1,500 instructions, a fifth of what libmicrohttpd spends on a
  /// request: outside of a job the runtime asks one after another whether the main executor, and then ours, is meant, and
  /// ours answers with what is asked here at once.
  @inline(__always)
  func enter<First, Second, Result>(
    _ first: First, _ second: Second,
    _ operation: @escaping (Worker, First, Second, isolated CellFactory) -> Result
  ) -> Result {
    precondition(control.loop.isCurrent, "the factory is entered on its loop's thread only")
    // What is isolated to a parameter is called as if that were any other, so the types differ in name only: the
    // standard library does the same in `assumeIsolated`. The isolation itself was just made sure of: this is the loop's
    // thread, and that the loop is the factory's executor `run` has had the runtime check.
    let entered = unsafeBitCast(operation, to: ((Worker, First, Second, CellFactory) -> Result).self)
    return entered(self, first, second, factory)
  }
}
