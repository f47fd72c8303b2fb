extension Problem {
  /// Every kind of error that the service returns. The raw value is the last part of its URN.
  package enum Code: String, Sendable, CaseIterable {
    case invalidJSON = "invalid-json"
    case badRequest = "bad-request"
    case headTooLarge = "head-too-large"
    case unknownKind = "unknown-kind"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case lengthRequired = "length-required"
    case bodyTooLarge = "body-too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case invalidRow = "invalid-row"
    case tooDeep = "too-deep"
    case outputTooLarge = "output-too-large"
    case overloaded
    case `internal`

    /// The problem's `type` member.
    package var urn: String { "urn:cellfactory:" + rawValue }

    package var status: Int {
      switch self {
      case .invalidJSON, .badRequest: 400
      case .unknownKind, .notFound: 404
      case .methodNotAllowed: 405
      case .notAcceptable: 406
      case .lengthRequired: 411
      case .bodyTooLarge: 413
      case .unsupportedMediaType: 415
      case .invalidRow, .tooDeep, .outputTooLarge: 422
      case .headTooLarge: 431
      case .internal: 500
      case .overloaded: 503
      }
    }

    /// The same for every occurrence (RFC 9457, section 3.1.3).
    package var title: String {
      switch self {
      case .invalidJSON: "Invalid JSON"
      case .badRequest: "Bad request"
      case .headTooLarge: "Request head too large"
      case .unknownKind: "Unknown kind"
      case .notFound: "Not found"
      case .methodNotAllowed: "Method not allowed"
      case .notAcceptable: "Not acceptable"
      case .lengthRequired: "Length required"
      case .bodyTooLarge: "Body too large"
      case .unsupportedMediaType: "Unsupported media type"
      case .invalidRow: "Invalid row"
      case .tooDeep: "Too deep"
      case .outputTooLarge: "Output too large"
      case .overloaded: "Overloaded"
      case .internal: "Internal error"
      }
    }
  }
}
