import CMarkup

/// An escaper of one variant, run over memory that shows when it goes too far.
///
/// The source's padding ends with its allocation, so that the address sanitizer sees a read beyond; what lies
/// behind the target's padding is checked after each call. Holds its memory; freed in `deinit`.
final class EscaperVariant {
  typealias Function =
    @convention(c) (
      UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>
    ) -> cf_progress

  static let padding = Int(CF_MARKUP_PADDING)
  private static let guardCount = 64
  private static let guardByte: UInt8 = 0xA5

  private let function: Function
  private let source: UnsafeMutableBufferPointer<UInt8>
  private let target: UnsafeMutableBufferPointer<UInt8>

  /// - Parameters:
  ///   - sourceLimit: bytes of the longest source.
  ///   - targetLimit: bytes of the largest room.
  init(_ function: @escaping Function, sourceLimit: Int, targetLimit: Int) {
    self.function = function
    source = .allocate(capacity: sourceLimit + Self.padding)
    target = .allocate(capacity: targetLimit + Self.padding + Self.guardCount)
    source.initialize(repeating: 0)
    target.initialize(repeating: 0)
  }

  deinit {
    source.deallocate()
    target.deallocate()
  }

  /// One call.
  ///
  /// - Parameters:
  ///   - room: bytes of the target, at least those of the source.
  ///   - hostile: stands in all the source's padding: no part of it may show.
  /// - Returns: how many bytes of the source it took, what it wrote, and whether it kept to the padding.
  func escape(
    _ bytes: some Collection<UInt8>, room: Int, hostile: UInt8
  ) -> (taken: Int, output: UnsafeBufferPointer<UInt8>, isInside: Bool) {
    let count = bytes.count
    let start = source.baseAddress! + (source.count - Self.padding - count)
    _ = UnsafeMutableBufferPointer(start: start, count: count).update(fromContentsOf: bytes)
    (start + count).update(repeating: hostile, count: Self.padding)
    let targetStart = target.baseAddress!
    let guards = targetStart + room + Self.padding
    guards.update(repeating: Self.guardByte, count: Self.guardCount)
    let progress = function(targetStart, targetStart + room, start, start + count)
    return (
      progress.source - UnsafePointer(start),
      UnsafeBufferPointer(start: targetStart, count: progress.target - targetStart),
      UnsafeBufferPointer(start: guards, count: Self.guardCount).allSatisfy { $0 == Self.guardByte }
    )
  }
}
