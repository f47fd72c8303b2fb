import CMicrohttpd

/// Guards code that relies on the source of one libmicrohttpd version instead of its documented behavior.
enum LibraryVersion {
  /// Whether the loaded version is the one whose source was checked.
  static let isKnown = String(cString: MHD_get_version()) == "0.9.75"
}
