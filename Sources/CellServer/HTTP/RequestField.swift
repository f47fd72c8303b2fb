/// The header fields that `RequestGuard` reads.
enum RequestField {
  case host, accept, expect, cookie, contentType, requestID, ifNoneMatch
  case contentLength, contentEncoding, transferEncoding, acceptLanguage
  // Read only if a setting enables it.
  case origin, traceParent, acceptEncoding, requestMethod, fetchSite
  /// Names that start with one of these two and continue: obsolete line folding can join lines like this.
  case likeContentLength, likeTransferEncoding

  /// `nil` for any other name. Every whole name here is a token; the rest of a longer name need not be.
  init?(_ name: UnsafeRawBufferPointer) {
    switch name.count {
    case 4 where HeaderSyntax.matches(name, "host"): self = .host
    case 6 where HeaderSyntax.matches(name, "accept"): self = .accept
    case 6 where HeaderSyntax.matches(name, "expect"): self = .expect
    case 6 where HeaderSyntax.matches(name, "cookie"): self = .cookie
    case 6 where HeaderSyntax.matches(name, "origin"): self = .origin
    case 11 where HeaderSyntax.matches(name, "traceparent"): self = .traceParent
    case 12 where HeaderSyntax.matches(name, "content-type"): self = .contentType
    case 12 where HeaderSyntax.matches(name, "x-request-id"): self = .requestID
    case 13 where HeaderSyntax.matches(name, "if-none-match"): self = .ifNoneMatch
    case 14 where HeaderSyntax.matches(name, "content-length"): self = .contentLength
    case 14 where HeaderSyntax.matches(name, "sec-fetch-site"): self = .fetchSite
    case 15 where HeaderSyntax.matches(name, "accept-encoding"): self = .acceptEncoding
    case 15 where HeaderSyntax.matches(name, "accept-language"): self = .acceptLanguage
    case 16 where HeaderSyntax.matches(name, "content-encoding"): self = .contentEncoding
    case 17 where HeaderSyntax.matches(name, "transfer-encoding"): self = .transferEncoding
    case 29 where HeaderSyntax.matches(name, "access-control-request-method"): self = .requestMethod
    case 15... where HeaderSyntax.begins(name, with: "content-length"): self = .likeContentLength
    case 18... where HeaderSyntax.begins(name, with: "transfer-encoding"): self = .likeTransferEncoding
    default: return nil
    }
  }

  /// Whether the whole name is known, not just its beginning.
  var isWhole: Bool { self != .likeContentLength && self != .likeTransferEncoding }
}
