import Cells
import Testing

@testable import CellServer

/// The text format of values, labels and histograms.
@Suite struct MetricsWriterTests {
  static func text(_ write: (inout MetricsWriter) -> Void) -> String {
    var writer = MetricsWriter()
    writer.begin("m", .gauge, "Help.")
    write(&writer)
    var output = ByteBuffer()
    writer.exchange(&output)
    let text = output.description
    let head = "# HELP m Help.\n# TYPE m gauge\n"
    #expect(text.hasPrefix(head))
    return String(text.dropFirst(head.count))
  }

  @Test(arguments: [
    (0, "0"), (7, "7"), (10, "10"), (-3, "-3"), (1_234_567_890_123, "1234567890123"),
    (.max, "9223372036854775807"),
  ])
  func aNumberIsWrittenCompletely(_ value: Int, _ expected: String) {
    #expect(Self.text { $0.sample(value) } == "m \(expected)\n")
  }

  @Test(arguments: [
    (0, "0"), (1, "0.000000001"), (10_000, "0.00001"), (1_500_000_000, "1.5"), (1_000_000_000, "1"),
    (999_999_999, "0.999999999"), (1_795_304_288_180_295_797, "1795304288.180295797"), (-1, "-0.000000001"),
    (-2_500_000_000, "-2.5"), (.max, "9223372036.854775807"), (.min, "-9223372036.854775808"),
  ])
  func nanosecondsAreWrittenAsSecondsWithoutLoss(_ value: Int, _ expected: String) {
    #expect(Self.text { $0.sample(nanoseconds: value) } == "m \(expected)\n")
  }

  @Test(arguments: [
    ("news", "news"), ("", ""), (#"a"b"#, #"a\"b"#), (#"a\b"#, #"a\\b"#), ("a\nb", #"a\nb"#),
    ("é {}=,", "é {}=,"),
    ("\r\t", "\r\t"), (#"\n"#, #"\\n"#),
  ])
  func aLabelsValueIsEscaped(_ value: String, _ expected: String) {
    #expect(Self.text { $0.sample(1, ("l", .text(value))) } == "m{l=\"\(expected)\"} 1\n")
  }

  @Test func labelsStandInOrder() {
    let text = Self.text { $0.sample(1, ("a", .plain("x")), ("b", .number(20)), ("c", .text("z"))) }
    #expect(text == "m{a=\"x\",b=\"20\",c=\"z\"} 1\n")
  }

  @Test func aHistogramsBucketsAddUp() {
    var counts = [Int](repeating: 0, count: HistogramTable.bucketCount)
    (counts[0], counts[2], counts[18], counts[19]) = (1, 3, 2, 5)
    var writer = MetricsWriter()
    writer.begin("m", .histogram, "Help.")
    writer.histogram(counts: counts, nanoseconds: 1_500_000_000, ("l", .plain("x")))
    var output = ByteBuffer()
    writer.exchange(&output)
    let scrape = MetricsScrape(output.description)
    #expect(scrape.types == ["m": "histogram"])
    #expect(scrape.samples(of: "m_bucket").count == HistogramTable.bucketCount)
    for (bound, count) in [
      ("0.00001", 1), ("0.000025", 1), ("0.00005", 4), ("5", 4), ("10", 6), ("+Inf", 11),
    ] {
      #expect(scrape["m_bucket{l=\"x\",le=\"\(bound)\"}"] == Double(count), "\(bound)")
    }
    #expect(scrape["m_sum{l=\"x\"}"] == 1.5)
    #expect(scrape["m_count{l=\"x\"}"] == 11)
  }
}
