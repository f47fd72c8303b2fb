/// A context: what a section pushed, or the row at the bottom.
struct Frame {
  var value: RenderValue
  /// The place in the list, from 0; `noIndex` where the section runs over no list.
  var index: UInt32
  var count: UInt32
  /// How many scopes there were before it.
  var outerScopes: UInt32 = 0
}

/// The contexts of a row, innermost last.
///
/// An array in memory of its own: the loop that renders looks at its top for every name, and an `Array` would be
/// asked each time whether it is shared.
struct FrameStack: ~Copyable {
  // Allocated here, freed in `deinit`; the first `count` of `capacity` frames are initialized, and frames are trivial.
  private var base: UnsafeMutablePointer<Frame>
  // The values of those frames above the row that can hold names, objects and lists; as many places as for frames.
  private var scopes: UnsafeMutablePointer<JSONTape.Index>
  private var capacity: Int
  private(set) var count = 0
  private(set) var scopeCount = 0

  init() {
    capacity = 16
    base = .allocate(capacity: capacity)
    scopes = .allocate(capacity: capacity)
  }

  deinit {
    base.deallocate()
    scopes.deallocate()
  }

  /// - Parameter isScope: the value can hold names, and is not the row.
  @inline(__always)
  mutating func push(_ frame: Frame, isScope: Bool) {
    if count == capacity { grow() }
    var frame = frame
    frame.outerScopes = UInt32(truncatingIfNeeded: scopeCount)
    (base + count).initialize(to: frame)
    count &+= 1
    if isScope { pushScope(frame.value) }
  }

  /// Puts the next item of a list in the place of the last one.
  @inline(__always)
  mutating func replaceTop(by value: RenderValue, index: UInt32, isScope: Bool) {
    precondition(count > 0)
    base[count &- 1].value = value
    base[count &- 1].index = index
    scopeCount = Int(base[count &- 1].outerScopes)
    if isScope { pushScope(value) }
  }

  @inline(__always)
  private mutating func pushScope(_ value: RenderValue) {
    // Never more than frames, for which there is room.
    (scopes + scopeCount).initialize(to: value.raw)
    scopeCount &+= 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Frame>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
    let largerScopes = UnsafeMutablePointer<JSONTape.Index>.allocate(capacity: capacity * 2)
    largerScopes.moveInitialize(from: scopes, count: scopeCount)
    scopes.deallocate()
    scopes = largerScopes
    capacity *= 2
  }

  @inline(__always)
  mutating func pop() {
    precondition(count > 0)
    count &-= 1
    scopeCount = Int(base[count].outerScopes)
  }

  /// An object or list whose names count before the row's; the innermost has the highest place.
  @inline(__always)
  func scope(_ place: Int) -> JSONTape.Index {
    precondition(place >= 0 && place < scopeCount)
    return scopes[place]
  }

  /// The innermost; there is one as long as a row is rendered.
  @inline(__always)
  var top: Frame { self[count - 1] }

  @inline(__always)
  subscript(place: Int) -> Frame {
    precondition(place >= 0 && place < count)
    return base[place]
  }

  func innermost(where matches: (Frame) -> Bool) -> Frame? {
    for place in stride(from: count - 1, through: 0, by: -1) where matches(base[place]) { return base[place] }
    return nil
  }

  mutating func removeAll() {
    count = 0
    scopeCount = 0
  }
}
