import CEscape

/// One variant of an escaper, run over memory that reveals accesses beyond its limits.
///
/// The padding of the source ends with its allocation, so that the address sanitizer detects reads beyond;
/// the bytes after the target's padding are checked after each call. Owns its memory, freed in `deinit`.
final class EscaperVariant {
  typealias Function =
    @convention(c) (
      UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>
    ) -> cf_progress

  static let padding = Int(CF_ESCAPE_PADDING)
  private static let guardCount = 64
  private static let guardByte: UInt8 = 0xA5

  private let function: Function
  private let source: UnsafeMutableBufferPointer<UInt8>
  private let target: UnsafeMutableBufferPointer<UInt8>

  /// - Parameters:
  ///   - sourceLimit: the length of the longest source in bytes.
  ///   - targetLimit: the largest room in bytes.
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

  /// Makes one call.
  ///
  /// - Parameters:
  ///   - room: bytes of the target, at least as many as the source has.
  ///   - hostile: fills the source's padding and must not appear in the output.
  /// - Returns: the number of source bytes taken, the output, and whether the call stayed within the padding.
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
