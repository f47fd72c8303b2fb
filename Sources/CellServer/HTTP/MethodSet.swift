/// Methods that a path takes.
package struct MethodSet: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  static let get = MethodSet(rawValue: 1)
  static let head = MethodSet(rawValue: 2)
  static let post = MethodSet(rawValue: 4)
  static let options = MethodSet(rawValue: 8)

  /// Of what can only be read.
  static let reading: MethodSet = [.get, .head, .options]
  /// Of what only takes bodies.
  static let posting: MethodSet = [.post, .options]
  static let all: MethodSet = [.get, .head, .post, .options]

  /// In the order of the header `Allow`.
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
