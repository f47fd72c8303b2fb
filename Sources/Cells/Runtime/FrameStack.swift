/// A context: the value pushed by a section, or the row at the bottom of the stack.
struct Frame: BitwiseCopyable {
  var value: RenderValue
  /// The position in the list, from 0; `noIndex` if the section's value is not a list.
  var index: UInt32
  var count: UInt32
  /// The number of scopes below this frame.
  var outerScopes: UInt32 = 0
}

/// The contexts of a row, innermost last.
struct FrameStack: ~Copyable {
  private var frames = TrivialStack<Frame>()
  /// The values of the frames above the row that can contain names: objects and lists.
  private var scopes = TrivialStack<JSONTape.Index>()

  @inline(__always)
  var count: Int { frames.count }

  @inline(__always)
  var scopeCount: Int { scopes.count }

  /// - Parameter isScope: whether the value can contain names and is not the row.
  @inline(__always)
  mutating func push(_ frame: Frame, isScope: Bool) {
    var frame = frame
    frame.outerScopes = UInt32(truncatingIfNeeded: scopes.count)
    frames.push(frame)
    if isScope { scopes.push(frame.value.raw) }
  }

  /// Replaces an item of a list by the next one.
  @inline(__always)
  mutating func replaceTop(by value: RenderValue, index: UInt32, isScope: Bool) {
    var frame = frames.top
    frame.value = value
    frame.index = index
    frames.top = frame
    scopes.truncate(to: Int(frame.outerScopes))
    if isScope { scopes.push(value.raw) }
  }

  @inline(__always)
  mutating func pop() {
    scopes.truncate(to: Int(frames.pop().outerScopes))
  }

  /// An object or list that is searched before the row. The innermost has the highest index.
  @inline(__always)
  func scope(_ place: Int) -> JSONTape.Index { scopes[place] }

  /// The innermost context. One exists as long as a row is rendered.
  @inline(__always)
  var top: Frame { frames.top }

  func innermost(where matches: (Frame) -> Bool) -> Frame? {
    for place in stride(from: frames.count - 1, through: 0, by: -1) where matches(frames[place]) {
      return frames[place]
    }
    return nil
  }

  mutating func removeAll() {
    frames.truncate(to: 0)
    scopes.truncate(to: 0)
  }
}
