import Testing

/// The samples of a scrape, parsed as Prometheus parses it; text that Prometheus would refuse is refused.
struct MetricsScrape {
  /// By name.
  private(set) var types: [String: String] = [:]
  /// By name and labels as written: `up{a="b"}`.
  private(set) var samples: [String: Double] = [:]

  init(_ text: String, _ location: SourceLocation = #_sourceLocation) {
    #expect(text.hasSuffix("\n"), sourceLocation: location)
    var name = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let words = line.split(separator: " ", maxSplits: 3).map(String.init)
      if line.hasPrefix("# HELP ") {
        name = words[2]
        #expect(words.count == 4 && types[name] == nil, "\(line)", sourceLocation: location)
      } else if line.hasPrefix("# TYPE ") {
        #expect(words[2] == name, "\(line)", sourceLocation: location)
        types[name] = words[3]
      } else {
        // The value of a label may contain spaces, the value of a sample may not.
        let space = line.lastIndex(of: " ") ?? line.startIndex
        let sample = String(line[..<space])
        let value = Double(line[line.index(after: space)...])
        #expect(value != nil && samples[sample] == nil, "\(line)", sourceLocation: location)
        let family = sample.prefix { $0 != "{" }
        let suffixes = types[name] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        #expect(suffixes.contains { name + $0 == family }, "\(line)", sourceLocation: location)
        samples[sample] = value
      }
    }
  }

  /// The value of a sample that must exist.
  subscript(_ sample: String) -> Double? { samples[sample] }

  /// The samples of a metric, without its name.
  func samples(of name: String) -> [String: Double] {
    samples.reduce(into: [:]) { found, sample in
      if sample.key.prefix(while: { $0 != "{" }) == name {
        found[String(sample.key.dropFirst(name.count))] = sample.value
      }
    }
  }
}
