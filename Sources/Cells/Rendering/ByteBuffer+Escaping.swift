import CMarkup
import CellTemplates

/// Escaping as one pass that copies while it looks: 16 bytes are stored and judged at a time.
extension ByteBuffer {
  /// Appends `source` through any escaper but `json`, which takes values, not text. At least `padding` bytes behind
  /// the source can be read. Cost: linear.
  ///
  /// A function of its own, out of the renderer's loop: what the escapers do is more than a call.
  ///
  /// - Parameter archive: knows the schemes that URLs may have.
  @inline(never)
  mutating func append(
    _ source: UnsafeRawBufferPointer, through escaper: Escaper, in archive: borrowing CellArchive
  ) {
    switch escaper {
    case .html: appendHTML(source)
    case .attribute: appendAttribute(source)
    case .text: appendMarkup(source) { cf_markup_mask($0) }
    case .rawHTML: appendMarkup(source) { cf_nul_mask($0) }
    case .none: append(source)
    case .url: appendLink(source, in: archive)
    case .urlPart: appendURLPart(source)
    case .urlComponent: appendURLComponent(source)
    case .urlAfterSlash: appendURLAfterSlash(source)
    case .urlSegment: appendURLSegment(source)
    case .sameOriginURL: appendSameOriginURL(URLText(source))
    case .fragmentURL: appendFragmentURL(URLText(source))
    case .urlList: appendURLList(source, in: archive)
    case .srcset: appendSourceSet(source, in: archive)
    case .srcsetDescriptor: appendSourceDescriptor(source)
    case .style: appendStyleValue(source)
    case .discard: break
    case .json: preconditionFailure("JSON is made from values, not from text")
    }
  }

  /// Appends `source`, for element text or a quoted attribute, up to the first 16 bytes in which there may be one to
  /// escape. Returns how many bytes it took: all, or a multiple of 16. At least `padding` bytes behind the source can
  /// be read.
  @inline(__always)
  mutating func appendClean(_ source: UnsafeRawBufferPointer) -> Int {
    appendClean(source) { cf_attribute_doubt_mask($0) }
  }

  /// - Parameter doubts: a bit for each of the 16 bytes at a place that may have to be escaped.
  @inline(__always)
  mutating func appendClean(_ source: UnsafeRawBufferPointer, doubts: (UnsafeRawPointer) -> UInt32) -> Int {
    guard let start = source.baseAddress else { return 0 }
    let count = source.count
    reserve(count)
    let target = end
    var place = 0
    while place < count {
      // As in `append(_:mask:replace:)`: the last chunk reaches into the padding of both.
      let chunk = start + place
      (target + place).storeBytes(of: chunk.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
      let found = doubts(chunk)
      // Behind the source's end stands the quote that ended it.
      if found != 0, place &+ found.trailingZeroBitCount < count {
        advance(by: place)
        return place
      }
      place &+= 16
    }
    advance(by: count)
    return count
  }

  /// Appends `source` with some of its bytes replaced. At least `padding` bytes behind it can be read.
  ///
  /// - Parameters:
  ///   - mask: a bit for each of the 16 bytes at a place that `replace` must see, the first byte's the lowest.
  ///   - replace: appends what stands for the byte at its pointer and some of those `behind` it in the source, and tells
  ///     how many of these it took. It keeps room for the others.
  @inline(__always)
  mutating func append(
    _ source: UnsafeRawBufferPointer, mask: (UnsafeRawPointer) -> UInt32,
    replace: (inout ByteBuffer, UnsafeRawPointer, _ behind: Int) -> Int
  ) {
    guard let start = source.baseAddress else { return }
    let count = source.count
    // Room for all that is left to copy, and behind it, in the padding, for the rest of a chunk or a replacement.
    reserve(count)
    var chunk = start
    var target = end
    var left = count
    while left > 0 {
      // 16 bytes from a place inside the source: at its end they reach into the padding, and so does the store.
      target.storeBytes(of: chunk.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
      let found = mask(chunk)
      if found == 0 {
        chunk += 16
        target += 16
        left &-= 16
        continue
      }
      let clean = found.trailingZeroBitCount
      if clean >= left { break }
      setEnd(target + clean)
      left &-= clean &+ 1
      let more = replace(&self, chunk + clean, left)
      left &-= more
      chunk += clean &+ 1 &+ more
      target = end
    }
    // Behind the last byte there is none that counts: `left` says by how much the last chunk went too far, if it did.
    setEnd(target + left)
  }

  @inline(__always)
  private mutating func appendMarkup(_ source: UnsafeRawBufferPointer, mask: (UnsafeRawPointer) -> UInt32) {
    append(source, mask: mask) { buffer, byte, behind in
      let entity = Self.entity(for: byte.load(as: UInt8.self))
      buffer.appendShort(entity.bytes, count: entity.count, before: behind)
      return 0
    }
  }

  /// Appends `source` as element text. At least `padding` bytes behind it can be read.
  @inline(never)
  mutating func appendHTML(_ source: UnsafeRawBufferPointer) {
    appendMarkup(source) { cf_markup_or_nul_mask($0) }
  }

  /// Appends `source` as a quoted attribute's value. At least `padding` bytes behind it can be read.
  @inline(never)
  private mutating func appendAttribute(_ source: UnsafeRawBufferPointer) {
    append(source, mask: { cf_attribute_mask($0) }) { buffer, byte, behind in
      let byte = byte.load(as: UInt8.self)
      let entity = byte == UInt8(ascii: "\r") ? (bytes: 0x3B_3331_2326, count: 5) : Self.entity(for: byte)  // &#13;
      buffer.appendShort(entity.bytes, count: entity.count, before: behind)
      return 0
    }
  }

  /// Appends up to eight bytes, the first in the lowest place, and keeps room for the `left` bytes that are still to
  /// be copied.
  @inline(__always)
  mutating func appendShort(_ bytes: UInt64, count: Int, before left: Int) {
    reserve(count &+ left)
    end.storeBytes(of: bytes.littleEndian, as: UInt64.self)
    advance(by: count)
  }

  /// What stands for a marked byte: its bytes, the first in the lowest place, and how many they are.
  @inline(__always)
  private static func entity(for byte: UInt8) -> (bytes: UInt64, count: Int) {
    switch byte {
    case UInt8(ascii: "&"): (0x3B_706D_6126, 5)  // &amp;
    case UInt8(ascii: "<"): (0x3B_746C_26, 4)  // &lt;
    case UInt8(ascii: ">"): (0x3B_7467_26, 4)  // &gt;
    case UInt8(ascii: "\""): (0x3B74_6F75_7126, 6)  // &quot;
    case UInt8(ascii: "'"): (0x3B_3933_2326, 5)  // &#39;
    default: (0xBD_BFEF, 3)  // U+FFFD, for NUL
    }
  }
}
