extension Endpoint {
  /// The target `*`, the server as a whole (RFC 9110, section 9.3.7). The handler is never called: the guard
  /// allows only OPTIONS, which is answered before any handler.
  static let asterisk = Endpoint("*", .all, description: nil) { _, _, _, _, _ throws(Problem) in
    throw Problem(.badRequest, detail: "the target * is for OPTIONS only")
  }
}
