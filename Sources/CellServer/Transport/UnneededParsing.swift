#if canImport(Glibc)
  import Glibc
#endif

/// Keeps libmicrohttpd from parsing query arguments, which nothing uses.
///
/// It would store a record for each in the connection's memory, and would not answer if that runs out: 600
/// arguments are enough. Cookie parsing cannot be prevented as cheaply.
enum UnneededParsing {
  /// Called when the request line has arrived. `target` is libmicrohttpd's copy in the connection's memory.
  ///
  /// libmicrohttpd has already found the `?`. If nothing follows it, there are no arguments.
  static func hideQuery(of target: UnsafeRawBufferPointer) {
    guard LibraryVersion.isKnown, let start = target.baseAddress,
      let mark = memchr(start, Int32(UInt8(ascii: "?")), target.count)
    else { return }
    // In bounds: the target ends with a zero byte.
    mark.storeBytes(of: 0, toByteOffset: 1, as: UInt8.self)
  }
}
