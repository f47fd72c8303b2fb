/// A stack of trivial elements in memory of its own.
///
/// What renders looks at its stacks for nearly every step, and an `Array` would be asked each time whether it
/// is shared. Every access is checked.
struct TrivialStack<Element: BitwiseCopyable>: ~Copyable {
  // Allocated here, freed in `deinit`; the first `count` of `capacity` elements are initialized.
  private var base: UnsafeMutablePointer<Element>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 16) {
    precondition(capacity > 0, "a stack that doubles begins with room")
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  @inline(__always)
  mutating func push(_ element: Element) {
    if count == capacity { grow() }
    (base + count).initialize(to: element)
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
    capacity *= 2
  }

  /// Takes the last element away. There is one.
  @inline(__always)
  mutating func pop() -> Element {
    precondition(count > 0)
    count &-= 1
    return base[count]
  }

  /// The last element. There is one.
  @inline(__always)
  var top: Element {
    get { self[count &- 1] }
    set { self[count &- 1] = newValue }
  }

  @inline(__always)
  subscript(place: Int) -> Element {
    get {
      precondition(place >= 0 && place < count)
      return base[place]
    }
    set {
      precondition(place >= 0 && place < count)
      base[place] = newValue
    }
  }

  /// Drops every element from `length` on.
  @inline(__always)
  mutating func truncate(to length: Int) {
    precondition(length >= 0 && length <= count)
    count = length
  }
}
