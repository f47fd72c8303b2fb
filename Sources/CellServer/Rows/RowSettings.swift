package import Cells

/// Limits of reading and rendering rows.
package struct RowSettings: Sendable {
  /// The most arrays and objects open at once in a body, 1...65535.
  package var jsonDepth = JSONParser.defaultDepthLimit
  /// The most fields of a form or a query.
  package var fields = 10_000
  /// Limits of rendering, and the default policy for missing names.
  package var render = RenderLimits()
  /// What names do that the kind of a row never reads.
  package var unknown = UnknownPolicy.ignore
  /// The time zone in which instants are shown: a name, or an offset.
  package var timeZone = "UTC"
  /// The time zones that names are looked up in.
  package var timeZones = TimeZoneSource.standard
  /// An answer up to this size is complete before its head is sent; a larger one is streamed.
  package var completeBytes = 1 << 20
  /// How long a batch may block other requests, in microseconds, by all its slices in one turn of the loop.
  package var sliceMicroseconds = 2000
  /// A longer body is read in slices. Up to this size, the memory for parsing is kept for the next body, and parsing takes
  /// about a millisecond.
  package var sliceBodyBytes = 500_000

  package init() {}

  /// Makes every answer complete in one step, for callers that do not share a thread.
  package mutating func makeWhole() {
    (completeBytes, sliceMicroseconds, sliceBodyBytes) = (.max, .max, .max)
  }

  /// An upper bound of the memory for a JSON body of `count` bytes and for reading it, in bytes.
  package static func bytesToRead(bodyOf count: Int, depth: Int) -> Int {
    count + JSONParser.estimatedBytes(forTextOf: count, depthLimit: depth)
  }
}
