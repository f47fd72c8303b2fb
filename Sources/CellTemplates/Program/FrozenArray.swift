/// An immutable array of trivial elements at a fixed address: allocated once, freed with its owner.
///
/// The renderer reads it without bounds checks, because `ArchiveVerifier` has verified every index. `padding`
/// zero bytes follow the elements, so that bytes may be copied in whole words.
package final class FrozenArray<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // Sendable because it is written only in `init`.
  package let base: UnsafePointer<Element>
  package let count: Int

  /// Readable bytes after the last element.
  package static var padding: Int { 64 }

  package init(_ elements: [Element]) {
    count = elements.count
    let bytes = elements.count * MemoryLayout<Element>.stride
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: bytes + Self.padding, alignment: MemoryLayout<Element>.alignment)
    (memory + bytes).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
    base = elements.withUnsafeBufferPointer { elements in
      guard let first = elements.baseAddress else {
        return UnsafePointer(memory.bindMemory(to: Element.self, capacity: 1))
      }
      return UnsafePointer(memory.initializeMemory(as: Element.self, from: first, count: elements.count))
    }
  }

  deinit { base.deallocate() }

  /// Bounds-checked access, for everything but the renderer.
  package subscript(index: Int) -> Element {
    precondition(index >= 0 && index < count)
    return base[index]
  }

  package var array: [Element] { Array(UnsafeBufferPointer(start: base, count: count)) }
}
