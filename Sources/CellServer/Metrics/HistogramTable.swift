/// Histograms of durations with the same buckets. One thread observes, any thread reads.
///
///     one histogram: its buckets, each without the lower ones; the values above the last bound;
///     the sum in nanoseconds
///
/// Reads may happen during writes, so a sum may be one observation ahead of its buckets. The reported count
/// is the sum of the buckets read, so every reported histogram is consistent.
struct HistogramTable: ~Copyable, Sendable {
  /// The upper bounds of the buckets in nanoseconds, from a few small rows up to the deadlines.
  static let bounds: [19 of Int] = [
    10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
    25_000_000,
    50_000_000, 100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000,
    10_000_000_000,
  ]
  /// The buckets including the one above the last bound.
  static let bucketCount = 20
  private static let stride = bucketCount + 1

  let count: Int
  private let counters: CounterTable

  init(count: Int) {
    self.count = count
    counters = CounterTable(count: count * Self.stride)
  }

  /// Adds a duration. A negative one, which only a faulty clock can produce, counts as 0.
  func observe(nanoseconds: Int, in histogram: Int) {
    let duration = max(nanoseconds, 0)
    let start = histogram * Self.stride
    counters.add(1, at: start + Self.bucket(of: duration))
    counters.add(duration, at: start + Self.bucketCount)
  }

  /// The bucket of a duration. Searches from the lowest, because most durations are short.
  static func bucket(of nanoseconds: Int) -> Int {
    var bucket = 0
    while bucket < bounds.count, nanoseconds > bounds[bucket] { bucket += 1 }
    return bucket
  }

  /// The observations in this bucket alone, without those in lower buckets.
  func count(in bucket: Int, of histogram: Int) -> Int { counters[histogram * Self.stride + bucket] }

  /// The sum of a histogram's durations in nanoseconds.
  func sum(of histogram: Int) -> Int { counters[histogram * Self.stride + Self.bucketCount] }
}
