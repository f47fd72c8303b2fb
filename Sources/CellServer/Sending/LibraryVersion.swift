import CMicrohttpd

/// What is built on the source of one version of libmicrohttpd, and on no promise of it.
enum LibraryVersion {
  /// Whether the version that is loaded is the one whose source was read.
  static let isKnown = String(cString: MHD_get_version()) == "0.9.75"
}
