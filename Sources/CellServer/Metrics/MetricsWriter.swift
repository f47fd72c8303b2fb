import Cells

#if canImport(Glibc)
  import Glibc
#endif

/// Writes metrics in Prometheus's text exposition format, version 0.0.4.
struct MetricsWriter: ~Copyable {
  enum Kind {
    case counter, gauge, histogram

    var name: StaticString {
      switch self {
      case .counter: "counter"
      case .gauge: "gauge"
      case .histogram: "histogram"
      }
    }
  }

  /// A label's value. Only `text` needs escaping.
  enum Label {
    case plain(StaticString)
    case text(String)
    case number(Int)
  }

  private var output = ByteBuffer()
  /// The metric whose samples follow.
  private var name: StaticString = ""

  /// The bytes written so far.
  var count: Int { output.count }

  /// Takes a buffer to append to, and gives back the one before it.
  mutating func exchange(_ buffer: inout ByteBuffer) { swap(&buffer, &output) }

  /// Starts a metric; its samples follow.
  mutating func begin(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
    self.name = name
    output.append("# HELP ")
    output.append(name)
    output.append(" ")
    output.append(help)
    output.append("\n# TYPE ")
    output.append(name)
    output.append(" ")
    output.append(kind.name)
    output.append("\n")
  }

  mutating func sample(_ value: Int, _ labels: (StaticString, Label)...) {
    write(suffix: "", labels)
    output.append(decimal: value)
    output.append("\n")
  }

  /// A duration or a time, in seconds.
  mutating func sample(nanoseconds: Int, _ labels: (StaticString, Label)...) {
    write(suffix: "", labels)
    append(seconds: nanoseconds)
    output.append("\n")
  }

  mutating func sample(_ value: StaticString, _ labels: (StaticString, Label)...) {
    write(suffix: "", labels)
    output.append(value)
    output.append("\n")
  }

  /// Writes a histogram.
  /// - Parameters:
  ///   - counts: the observations in each bucket of a `HistogramTable`, without those in lower buckets.
  ///   - nanoseconds: the sum of all durations.
  mutating func histogram(counts: [Int], nanoseconds: Int, _ labels: (StaticString, Label)...) {
    var below = 0
    for (bucket, count) in counts.enumerated() {
      below += count
      let isLast = bucket == HistogramTable.bounds.count
      write(suffix: "_bucket", labels, bound: isLast ? .max : HistogramTable.bounds[bucket])
      output.append(decimal: below)
      output.append("\n")
    }
    write(suffix: "_sum", labels)
    append(seconds: nanoseconds)
    output.append("\n")
    write(suffix: "_count", labels)
    output.append(decimal: below)
    output.append("\n")
  }

  // MARK: - Pieces

  /// Writes the name and the labels, up to the value.
  /// - Parameter bound: the upper bound of a bucket in nanoseconds, for the label `le`; `Int.max` means
  ///   infinity.
  private mutating func write(
    suffix: StaticString, _ labels: [(StaticString, Label)], bound: Int? = nil
  ) {
    output.append(name)
    output.append(suffix)
    if !labels.isEmpty || bound != nil { output.append("{") }
    for (position, label) in labels.enumerated() {
      if position > 0 { output.append(",") }
      output.append(label.0)
      output.append("=\"")
      switch label.1 {
      case .plain(let text): output.append(text)
      case .text(let text): append(escaped: text)
      case .number(let number): output.append(decimal: number)
      }
      output.append("\"")
    }
    if let bound {
      output.append(labels.isEmpty ? "le=\"" : ",le=\"")
      if bound == .max { output.append("+Inf") } else { append(seconds: bound) }
      output.append("\"")
    }
    output.append(!labels.isEmpty || bound != nil ? "} " : " ")
  }

  private static let escaped = [UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "\n")].map { Int32($0) }

  /// Escapes backslashes, quotes and newlines.
  private mutating func append(escaped text: String) {
    // Names of kinds may be long, and usually hold none of these.
    var text = text
    let isPlain = text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return true }
      return Self.escaped.allSatisfy { memchr(start, $0, bytes.count) == nil }
    }
    if isPlain { return output.append(text: text) }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): output.append("\\\\")
      case UInt8(ascii: "\""): output.append("\\\"")
      case UInt8(ascii: "\n"): output.append("\\n")
      default: output.append(byte: byte)
      }
    }
  }

  /// Writes nanoseconds as seconds, exactly and without trailing zeros.
  private mutating func append(seconds nanoseconds: Int) {
    if nanoseconds < 0 { output.append("-") }
    let (seconds, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    output.append(decimal: Int(seconds))
    if rest == 0 { return }
    output.append(".")
    var (left, digit) = (rest, 100_000_000 as UInt)
    while left > 0 {
      output.append(byte: UInt8(ascii: "0") + UInt8(left / digit))
      (left, digit) = (left % digit, digit / 10)
    }
  }
}
