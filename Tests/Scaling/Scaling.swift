import Glibc

/// Measures whether work for input that is twice as large takes about twice as long.
package enum Scaling {
  /// Shorter measurements are noise.
  private static let shortestSeconds = 0.02
  /// More than twice, for caches, and for the logarithm in the cost of sorting.
  package static let bound = 2.5
  /// For what is measured well, and neither sorts nor leaves the caches: finds a term of higher order when it is a third as
  /// large, so that a third of the size is enough.
  package static let strictBound = 2.2
  private static let attempts = 8
  /// How often the inputs are made: where one lies in memory may slow down all its measurements.
  private static let rounds = 6

  /// Compares the processor time of `work` for N, 2N and 4N, on this thread. Other processes can slow a measurement
  /// down, so it is repeated until the best times of a round are good, up to 8 times with the same inputs, in 6 rounds
  /// with new ones.
  /// - Parameters:
  ///   - size: the first N to try. It is doubled until the work takes long enough to be measured.
  ///   - make: prepares the input of a size. Not measured.
  ///   - bound: how many times as much a doubling may cost.
  /// - Returns: nil if each doubling costs less than that; otherwise the times.
  package static func fault<Input>(
    from size: Int, bound: Double = bound, make: (Int) throws -> Input, work: (borrowing Input) throws -> Void
  ) rethrows -> String? {
    func seconds(_ input: Input) throws -> Double {
      let start = now
      try work(input)
      return now - start
    }
    var size = size
    var first = try seconds(try make(size))
    while first < shortestSeconds {
      size *= 2
      first = try seconds(try make(size))
    }
    return try fault(at: size, bound, "from \(size)", first, make: make, seconds)
  }

  /// Same, for one N: the work is repeated until it takes long enough to be measured.
  package static func fault<Input>(
    at size: Int, bound: Double = bound, make: (Int) throws -> Input, work: (borrowing Input) throws -> Void
  ) rethrows -> String? {
    var repetitions = 1
    func seconds(_ input: Input) throws -> Double {
      let start = now
      for _ in 0..<repetitions { try work(input) }
      return now - start
    }
    let input = try make(size)
    var first = try seconds(input)
    while first < shortestSeconds {
      repetitions *= 2
      first = try seconds(input)
    }
    return try fault(at: size, bound, "at \(size), \(repetitions) times", first, make: make, seconds)
  }

  /// - Parameter first: the seconds for N that finding it took.
  private static func fault<Input>(
    at size: Int, _ bound: Double, _ name: String, _ first: Double, make: (Int) throws -> Input,
    _ seconds: (Input) throws -> Double
  ) rethrows -> String? {
    var best: [Double] = []
    var ratios: [Double] = []
    for round in 0..<rounds {
      // The machine may have become slower since the last round, so its times are not compared with this one's.
      best = [round == 0 ? first : .infinity, .infinity, .infinity]
      let inputs = try [1, 2, 4].map { try make($0 * size) }
      for attempt in 0..<attempts {
        for position in inputs.indices.dropFirst(round == 0 && attempt == 0 ? 1 : 0) {
          best[position] = min(best[position], try seconds(inputs[position]))
        }
        ratios = zip(best.dropFirst(), best).map { $0 / $1 }
        if ratios.allSatisfy({ $0 < bound }) { return nil }
      }
    }
    return "\(name): \(best) seconds, \(ratios) times"
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
