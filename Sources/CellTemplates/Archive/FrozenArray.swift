/// An immutable run of trivial elements at an address that never changes: allocated once, freed with its owner.
///
/// The renderer reads it without bounds checks; `ArchiveVerifier` has shown that every index it will use is inside.
package final class FrozenArray<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // Sendable: written in `init` alone, before anybody else can see it.
  package let base: UnsafePointer<Element>
  package let count: Int

  package init(_ elements: [Element]) {
    count = elements.count
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
    memory.initialize(from: elements, count: elements.count)
    base = UnsafePointer(memory)
  }

  deinit { base.deallocate() }

  /// Checked access, for everything but the renderer.
  package subscript(index: Int) -> Element {
    precondition(index >= 0 && index < count)
    return base[index]
  }

  package var array: [Element] { Array(UnsafeBufferPointer(start: base, count: count)) }
}
