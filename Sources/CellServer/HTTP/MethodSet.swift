/// The methods that a path accepts.
package struct MethodSet: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  static let get = MethodSet(rawValue: 1)
  static let head = MethodSet(rawValue: 2)
  static let post = MethodSet(rawValue: 4)
  static let options = MethodSet(rawValue: 8)

  /// For read-only paths.
  static let reading: MethodSet = [.get, .head, .options]
  /// For paths that only accept bodies.
  static let posting: MethodSet = [.post, .options]
  static let all: MethodSet = [.get, .head, .post, .options]

  /// In the order used by the `Allow` header.
  package var names: [String] {
    let known: [RequestHead.Method] = [.get, .head, .post, .options]
    return known.filter(has).map(\.name)
  }

  func has(_ method: RequestHead.Method) -> Bool {
    switch method {
    case .get: contains(.get)
    case .head: contains(.head)
    case .post: contains(.post)
    case .options: contains(.options)
    case .other: false
    }
  }
}
