/// A stack of trivial elements with its own memory.
///
/// The renderer uses its stacks in nearly every step, and an `Array` would check for uniqueness each time.
/// Every access is bounds-checked.
struct TrivialStack<Element: BitwiseCopyable>: ~Copyable {
  // Allocated here, freed in `deinit`. The first `count` of `capacity` elements are initialized.
  private var base: UnsafeMutablePointer<Element>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 16) {
    precondition(capacity > 0, "a stack needs capacity to double")
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  /// Memory in bytes.
  var heldBytes: Int { capacity * MemoryLayout<Element>.stride }

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

  /// Removes and returns the last element. The stack must not be empty.
  @inline(__always)
  mutating func pop() -> Element {
    precondition(count > 0)
    count &-= 1
    return base[count]
  }

  /// The last element. The stack must not be empty.
  @inline(__always)
  var top: Element {
    get { self[count &- 1] }
    set { self[count &- 1] = newValue }
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      precondition(index >= 0 && index < count)
      return base[index]
    }
    set {
      precondition(index >= 0 && index < count)
      base[index] = newValue
    }
  }

  /// Removes every element from `length` on.
  @inline(__always)
  mutating func truncate(to length: Int) {
    precondition(length >= 0 && length <= count)
    count = length
  }
}
