package import Cells

/// Bounds of reading and rendering rows.
package struct RowSettings: Sendable {
  /// Arrays and objects open at once in a body, 1...65535.
  package var jsonDepth = JSONParser.defaultDepthLimit
  /// Fields of a form or a query, at most.
  package var fields = 10_000
  /// Bounds of rendering, and what happens to missing names where the request does not say.
  package var render = RenderLimits()
  /// An answer of so many bytes is complete before its head is sent; a larger one is streamed.
  package var completeBytes = 1 << 20
  /// How long a batch keeps others waiting, in one go or in all its slices of one turn of the loop, in microseconds.
  /// Parsing comes on top.
  package var sliceMicroseconds = 3000
  /// A body of more bytes is read in slices, too.
  package var sliceBodyBytes = 2 << 20

  package init() {}

  /// Every answer is to be made in one go, complete: where nobody else waits.
  package mutating func makeWhole() {
    (completeBytes, sliceMicroseconds, sliceBodyBytes) = (.max, .max, .max)
  }

  /// What a JSON body of so many bytes, and reading it, take at most, in bytes.
  package static func bytesToRead(bodyOf count: Int, depth: Int) -> Int {
    count + JSONParser.estimatedBytes(forTextOf: count, depthLimit: depth)
  }
}
