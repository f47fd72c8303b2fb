import CellTemplates

/// The contexts of a row, innermost last: the row at the bottom, and what sections and outlets have pushed.
struct ContextStack: ~Copyable {
  /// The row, or the value of a section or outlet.
  struct Context: BitwiseCopyable {
    /// For a list, the current item.
    var value: RenderValue
    /// The position in the list, from 0; `noIndex` if the value is not an item of a list.
    var index: UInt32 = noIndex
    /// The number of items of the list; those of an outlet include the items of lists in it.
    var count: UInt32 = 0
    /// The number of scopes below this context.
    fileprivate var outerScopes: UInt32 = 0

    @inline(__always)
    init(value: RenderValue, index: UInt32 = noIndex, count: UInt32 = 0) {
      (self.value, self.index, self.count) = (value, index, count)
    }

    /// Whether the value is an item of a list.
    var isItem: Bool { index != noIndex }
  }

  /// While an attribute of an element with an outlet is written: the outlet's value, and whether it is an item that has
  /// no names, so that none are looked up around it.
  private var outlet: (value: RenderValue, hidesNames: Bool)?

  /// The context of the row of an included cell, and its first scope: nothing around is found.
  private var floor = Floor()

  /// What a look-up does not go below.
  struct Floor: BitwiseCopyable {
    var context = 0
    var scope = 0
  }

  private var contexts = TrivialStack<Context>()
  /// The values of the contexts above the row that can contain names: objects and lists.
  private var scopes = TrivialStack<JSONTape.Index>()

  /// Memory in bytes.
  var heldBytes: Int { contexts.heldBytes + scopes.heldBytes }

  @inline(__always)
  var scopeCount: Int { scopes.count &- floor.scope }

  /// Pushes the row of an included cell. Returns what `popRow` needs.
  mutating func pushRow(_ value: RenderValue) -> Floor {
    let outer = floor
    floor = Floor(context: contexts.count, scope: scopes.count)
    push(Context(value: value), isScope: false)
    return outer
  }

  mutating func popRow(_ outer: Floor) {
    pop()
    floor = outer
  }

  /// - Parameter isScope: whether the value can contain names and is not the row.
  @inline(__always)
  mutating func push(_ context: Context, isScope: Bool) {
    var context = context
    context.outerScopes = UInt32(truncatingIfNeeded: scopes.count)
    contexts.push(context)
    if isScope { scopes.push(context.value.raw) }
  }

  @inline(__always)
  mutating func pop() {
    scopes.truncate(to: Int(contexts.pop().outerScopes))
  }

  /// Lets `.` name what it names around the innermost context, which stays for its place in a list.
  mutating func showAround() { contexts.top.value = contexts[contexts.count - 2].value }

  /// An object or list that is searched before the row. The innermost has the highest index.
  @inline(__always)
  func scope(_ index: Int) -> JSONTape.Index { scopes[floor.scope &+ index] }

  /// The innermost context. One exists as long as a row is rendered.
  @inline(__always)
  var top: Context { contexts.top }

  /// What `.` names.
  var item: RenderValue { outlet?.value ?? top.value }
  /// Whether names of outlets find nothing.
  var hidesNames: Bool { outlet?.hidesNames ?? false }

  /// Looks names up from an attribute beside an outlet until `leaveAttribute`.
  mutating func enterAttribute(of value: RenderValue, hidesNames: Bool) { outlet = (value, hidesNames) }

  mutating func leaveAttribute() { outlet = nil }

  /// The context of the innermost loop, if there is one, and how many were looked at for it.
  func innermostItem() -> (item: Context?, looked: Int) {
    var index = contexts.count - 1
    while index >= floor.context {
      if contexts[index].isItem { return (contexts[index], contexts.count - index) }
      index -= 1
    }
    return (nil, contexts.count - floor.context)
  }

  mutating func removeAll() {
    outlet = nil
    floor = Floor()
    contexts.truncate(to: 0)
    scopes.truncate(to: 0)
  }

  // MARK: Sections

  /// Pushes the value of a section; of a list, the first item. Returns false, and pushes nothing, if the
  /// value is falsy.
  @inline(__always)
  mutating func enterSection(_ value: RenderValue, on tape: JSONTape) -> Bool {
    if value.isNode {
      switch tape.kind(value.raw) {
      case .object:
        push(Context(value: value), isScope: true)
        return true
      case .array:
        let count = UInt32(truncatingIfNeeded: tape.count(value.raw))
        if count == 0 { return false }
        let first = value.raw &+ 1
        push(
          Context(value: RenderValue(node: first), index: 0, count: count),
          isScope: tape.kind(first).holdsValues)
        return true
      case .string where tape.count(value.raw) == 0: return false
      case .string: break
      default: if !tape.isTruthy(value) { return false }
      }
    } else if !tape.isTruthy(value) {
      return false
    }
    push(Context(value: value), isScope: false)
    return true
  }

  /// Moves the innermost section to its next item. Returns false, and leaves the section, if there is none.
  @inline(__always)
  mutating func moveToNextItem(on tape: JSONTape) -> Bool {
    var context = contexts.top
    // If the section's value is not a list, the index is the maximum and the count is 0.
    if context.index &+ 1 < context.count {
      let next = tape.end(context.value.raw)
      context.value = RenderValue(node: next)
      context.index &+= 1
      contexts.top = context
      scopes.truncate(to: Int(context.outerScopes))
      if tape.kind(next).holdsValues { scopes.push(next) }
      return true
    }
    pop()
    return false
  }
}
