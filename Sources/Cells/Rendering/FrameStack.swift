/// A context: what a section pushed, or the row at the bottom.
struct Frame {
  var value: RenderValue
  /// The place in the list, from 0; `noIndex` where the section runs over no list.
  var index: UInt32
  var count: UInt32
}

/// The contexts of a row, innermost last.
///
/// An array in memory of its own: the loop that renders looks at its top for every name, and an `Array` would be
/// asked each time whether it is shared.
struct FrameStack: ~Copyable {
  // Allocated here, freed in `deinit`; the first `count` of `capacity` frames are initialized, and frames are trivial.
  private var base: UnsafeMutablePointer<Frame>
  private var capacity: Int
  private(set) var count = 0

  init() {
    capacity = 16
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  @inline(__always)
  mutating func push(_ frame: Frame) {
    if count == capacity { grow() }
    (base + count).initialize(to: frame)
    count += 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Frame>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
    capacity *= 2
  }

  @inline(__always)
  mutating func pop() {
    precondition(count > 0)
    count -= 1
  }

  /// The innermost; there is one as long as a row is rendered.
  @inline(__always)
  var top: Frame {
    get { self[count - 1] }
    set {
      precondition(count > 0)
      base[count - 1] = newValue
    }
  }

  @inline(__always)
  subscript(place: Int) -> Frame {
    precondition(place >= 0 && place < count)
    return base[place]
  }

  func innermost(where matches: (Frame) -> Bool) -> Frame? {
    for place in stride(from: count - 1, through: 0, by: -1) where matches(base[place]) { return base[place] }
    return nil
  }

  mutating func removeAll() { count = 0 }
}
