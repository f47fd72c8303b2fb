/// The header fields that the guard looks at.
enum HeaderField {
  case host, accept, expect, cookie, contentType, requestID, ifNoneMatch
  case contentLength, contentEncoding, transferEncoding
  // Read only where a setting asks for them.
  case origin, traceParent, acceptEncoding, requestMethod
  /// Names that begin like one of the two, and go on: folding glues lines together.
  case likeContentLength, likeTransferEncoding

  /// `nil`: none of them. A name that is one of them is a token; what goes on behind another need not be.
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
    case 15 where HeaderSyntax.matches(name, "accept-encoding"): self = .acceptEncoding
    case 16 where HeaderSyntax.matches(name, "content-encoding"): self = .contentEncoding
    case 17 where HeaderSyntax.matches(name, "transfer-encoding"): self = .transferEncoding
    case 29 where HeaderSyntax.matches(name, "access-control-request-method"): self = .requestMethod
    case 15... where HeaderSyntax.begins(name, with: "content-length"): self = .likeContentLength
    case 18... where HeaderSyntax.begins(name, with: "transfer-encoding"): self = .likeTransferEncoding
    default: return nil
    }
  }

  /// Whether its name is known to the last byte.
  var isWhole: Bool { self != .likeContentLength && self != .likeTransferEncoding }
}
