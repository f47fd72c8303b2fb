import Cells

// Enters the factory's isolation from a libmicrohttpd callback, which runs outside any task.
extension CellFactory {
  /// Runs `operation` inside the factory, whose executor must be the loop and run on this thread. `operation` must capture
  /// nothing; its arguments are passed to it.
  ///
  /// Equivalent to `assumeIsolated`, whose check costs 1,500 instructions, a fifth of what libmicrohttpd
  /// spends on a request. Outside a job, the runtime asks first whether the main executor is meant, then
  /// whether ours is; this asks ours directly.
  @inline(__always)
  nonisolated func enter<First, Second, Third, Result>(
    from loop: EventLoop, _ first: First, _ second: Second, _ third: Third,
    _ operation: @escaping (First, Second, Third, isolated CellFactory) -> Result
  ) -> Result {
    precondition(loop.isCurrent, "the factory is entered on its loop's thread only")
    // A function isolated to a parameter has the same calling convention as one that is not, so the types
    // differ in name only. The standard library makes the same cast in `assumeIsolated`. Isolation is checked
    // above: this is the loop's thread, and `Worker.run` has made the runtime check that the loop is the factory's
    // executor.
    let entered = unsafeBitCast(operation, to: ((First, Second, Third, CellFactory) -> Result).self)
    return entered(first, second, third, self)
  }

  /// The hash of the archive in use, from a callback.
  nonisolated func archiveHash(from loop: EventLoop) -> String {
    enter(from: loop, (), (), ()) { _, _, _, factory in factory.archiveHash }
  }
}
