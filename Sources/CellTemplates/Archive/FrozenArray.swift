/// An immutable run of trivial elements at an address that never changes: allocated once, freed with its
/// owner.
///
/// The renderer reads it without bounds checks; `ArchiveVerifier` has shown that every index it will use is
/// inside. Behind the elements stand `padding` zero bytes, so that a run of bytes may be copied in whole
/// words.
package final class FrozenArray<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // Sendable: written in `init` alone, before anybody else can see it.
  package let base: UnsafePointer<Element>
  package let count: Int

  /// Readable bytes behind the last element.
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

  /// Checked access, for everything but the renderer.
  package subscript(index: Int) -> Element {
    precondition(index >= 0 && index < count)
    return base[index]
  }

  package var array: [Element] { Array(UnsafeBufferPointer(start: base, count: count)) }
}
