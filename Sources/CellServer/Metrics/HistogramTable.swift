/// Histograms of durations, in a row, with the same buckets: one thread observes, any reads.
///
///     a histogram    its buckets, each with what fell into it alone; what was longer than all; the sum in nanoseconds
///
/// It is read while it is written: a sum may be an observation ahead of its buckets. What is told as the count is the
/// sum of the buckets read, so that a histogram is always consistent in itself.
struct HistogramTable: ~Copyable, Sendable {
  /// The upper bounds of the buckets, in nanoseconds: what requests take, from few small rows to all that deadlines let
  /// pass.
  static let bounds: [19 of Int] = [
    10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
    25_000_000,
    50_000_000, 100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000,
    10_000_000_000,
  ]
  /// The buckets, and the one behind the last bound.
  static let bucketCount = 20
  private static let stride = bucketCount + 1

  let count: Int
  private let counters: CounterTable

  init(count: Int) {
    self.count = count
    counters = CounterTable(count: count * Self.stride)
  }

  /// Adds a duration to a histogram. A negative one, which only a faulty clock can make, counts as none.
  func observe(nanoseconds: Int, in histogram: Int) {
    let duration = max(nanoseconds, 0)
    let start = histogram * Self.stride
    counters.add(1, at: start + Self.bucket(of: duration))
    counters.add(duration, at: start + Self.bucketCount)
  }

  /// The bucket of a duration; most are short, so it is looked for from below.
  static func bucket(of nanoseconds: Int) -> Int {
    var bucket = 0
    while bucket < bounds.count, nanoseconds > bounds[bucket] { bucket += 1 }
    return bucket
  }

  /// What fell into a bucket of a histogram, and into no lower one.
  func count(in bucket: Int, of histogram: Int) -> Int { counters[histogram * Self.stride + bucket] }

  /// The sum of a histogram's durations, in nanoseconds.
  func sum(of histogram: Int) -> Int { counters[histogram * Self.stride + Self.bucketCount] }
}
