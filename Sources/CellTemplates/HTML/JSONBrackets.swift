/// The open brackets of JSON. Copies share all but the last few, so that a section in deep JSON costs only what it
/// changes.
struct JSONBrackets: Hashable {
  /// A full run of brackets, and those around it.
  // Unchecked, because it is written only when nobody else knows it.
  private final class Run: @unchecked Sendable {
    let brackets: [UInt8]
    private(set) var outer: Run?

    init(_ brackets: [UInt8], in outer: Run?) { (self.brackets, self.outer) = (brackets, outer) }

    deinit {
      // One after another: if each released the next, deep JSON would take too much of the stack.
      var rest = outer
      outer = nil
      while isKnownUniquelyReferenced(&rest) {
        let next = rest?.outer
        rest?.outer = nil
        rest = next
      }
    }
  }

  /// The brackets of a run.
  private static let runLength = 256

  private var count = 0
  /// The innermost ones: at most a run, and none only if none is open.
  private var inner: [UInt8] = []
  private var outer: Run?

  var isEmpty: Bool { count == 0 }
  var last: UInt8? { inner.last }

  mutating func append(_ bracket: UInt8) {
    if inner.count == Self.runLength {
      outer = Run(inner, in: outer)
      inner = []
    }
    inner.append(bracket)
    count += 1
  }

  /// One must be open.
  mutating func removeLast() {
    inner.removeLast()
    count -= 1
    if inner.isEmpty, let run = outer { (inner, outer) = (run.brackets, run.outer) }
  }

  /// Cost: linear in what they do not share.
  static func == (left: JSONBrackets, right: JSONBrackets) -> Bool {
    guard left.count == right.count, left.inner == right.inner else { return false }
    var (run, other) = (left.outer, right.outer)
    while run !== other {
      guard run?.brackets == other?.brackets else { return false }
      (run, other) = (run?.outer, other?.outer)
    }
    return true
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    hasher.combine(inner)
  }
}
