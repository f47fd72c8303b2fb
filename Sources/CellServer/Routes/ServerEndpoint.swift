extension Endpoint {
  /// The target `*`, which asks about the server as a whole (RFC 9110, section 9.3.7). The guard lets OPTIONS through
  /// alone, and every endpoint's OPTIONS is answered before its handler is asked.
  static let server = Endpoint("*", .all, description: nil) { _, _, _, _, _ throws(Problem) in
    throw Problem(.badRequest, detail: "the target * is for OPTIONS only")
  }
}
