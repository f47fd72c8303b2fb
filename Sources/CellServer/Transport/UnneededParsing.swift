#if canImport(Glibc)
  import Glibc
#endif

/// Keeps the library from parsing what nobody asks it for: a request's arguments.
///
/// It would parse them into the connection's memory, a record each, and where that ends it does not answer: 600 fields of a
/// query are enough. Its parsing of cookies cannot be kept from it as cheaply.
enum UnneededParsing {
  /// To be called when the request line has come; `target` is where the library has it, in the connection's memory.
  ///
  /// The library has found the `?` already. With nothing behind it there are no arguments.
  static func hideQuery(of target: UnsafeRawBufferPointer) {
    guard LibraryVersion.isKnown, let start = target.baseAddress,
      let mark = memchr(start, Int32(UInt8(ascii: "?")), target.count)
    else { return }
    // In bounds: the target ends with a zero byte.
    mark.storeBytes(of: 0, toByteOffset: 1, as: UInt8.self)
  }
}
