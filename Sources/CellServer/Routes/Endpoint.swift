import CellTemplates
package import Cells

/// One path of the service: its methods, metrics label, API description and handler. Each endpoint has its
/// own file; `Endpoints` lists those of every server.
package final class Endpoint: Sendable {
  /// Makes the answer. Path, kind and method have been checked, and the body is complete.
  package typealias Handler =
    @Sendable (
      EndpointContext, borrowing RequestHead, _ body: inout ByteBuffer, _ output: consuming ByteBuffer,
      isolated CellFactory
    ) throws(Problem) -> Answer

  /// What follows the fixed segments of a path.
  private enum Tail: String {
    case nothing = ""
    case kind = "/{kind}"
    /// Any path, for the handler to look up.
    case path = "/{path}"
  }

  /// As in the API description and metrics: up to two fixed segments, optionally followed by `/{kind}` or `/{path}`.
  package let path: StaticString
  let methods: MethodSet
  /// Whether query parameters are allowed; otherwise any is refused.
  let takesQuery: Bool
  /// Whether the endpoint reports the server's state. It is answered even under overload.
  let isForOperators: Bool
  /// Whether it reports the server's health. It is answered in the turn in which its request comes up, and quickly.
  let isProbe: Bool
  /// Whether pages of every origin may read the answers: files that pages load.
  let isPublic: Bool
  /// nil if the endpoint is not part of the API description.
  let description: EndpointDescription?
  let answer: Handler
  private let tail: Tail
  /// Length of the first segment in bytes, including its slash; 0 for the root.
  private let wordCount: Int
  /// The second fixed segment, with the slash after it if there is a tail; empty if there is none.
  private let second: String

  /// Takes what an endpoint declares, by name; most is left out.
  init(
    _ path: StaticString, _ methods: MethodSet, takesQuery: Bool = false, isForOperators: Bool = false,
    isProbe: Bool = false, isPublic: Bool = false, description: EndpointDescription?,
    answer: @escaping Handler
  ) {
    self.path = path
    self.methods = methods
    self.takesQuery = takesQuery
    self.isForOperators = isForOperators
    self.isProbe = isProbe
    self.isPublic = isPublic
    self.description = description
    self.answer = answer
    let text = path.description
    let tail = [Tail.kind, .path].first { text.hasSuffix($0.rawValue) } ?? .nothing
    self.tail = tail
    let fixed = text.utf8.dropLast(tail.rawValue.utf8.count)
    let end = fixed.dropFirst().firstIndex(of: UInt8(ascii: "/")) ?? fixed.endIndex
    wordCount = text == "/" ? 0 : fixed[..<end].count
    let rest = String(fixed[end...].dropFirst()) ?? ""
    second = rest.isEmpty || tail == .nothing ? rest : rest + "/"
  }

  /// An endpoint for reading that is not part of the API description, such as a page for people.
  package convenience init(page path: StaticString, takesQuery: Bool = false, answer: @escaping Handler) {
    self.init(path, .reading, takesQuery: takesQuery, description: nil, answer: answer)
  }

  /// Whether a kind follows the fixed segments.
  var namesKind: Bool { tail == .kind }
  /// Whether any path follows the fixed segments.
  var takesPath: Bool { tail == .path }

  /// Whether the target has this path. False if the target is malformed.
  func isNamed(by target: borrowing RequestTarget) -> Bool {
    guard target.parts.wordCount == wordCount else { return false }
    if wordCount == 0 { return target.path == "/" }
    if second.isEmpty {
      guard target.parts.rest.isEmpty == (tail == .nothing) else { return false }
    } else {
      guard target.parts.rest.utf8.starts(with: second.utf8),
        tail != .nothing || target.parts.rest.utf8.count == second.utf8.count
      else { return false }
    }
    // Compares bytes, because string comparison is by canonical equivalence. Both paths start with the
    // segment.
    return target.path.utf8.withContiguousStorageIfAvailable { path in
      for position in 0..<wordCount where path[position] != self.path.utf8Start[position] { return false }
      return true
    } ?? target.path.utf8.starts(with: UnsafeBufferPointer(start: path.utf8Start, count: wordCount))
  }

  /// What follows the fixed segments of a target with this path, decoded.
  func tail(of target: borrowing RequestTarget) -> String {
    second.isEmpty ? target.parts.rest : String(target.parts.rest.utf8.dropFirst(second.utf8.count)) ?? ""
  }

  /// Throws `.methodNotAllowed` if the path does not accept the method.
  func check(_ method: RequestHead.Method) throws(Problem) {
    guard methods.has(method) else { throw .methodNotAllowed(method, allow: methods.names) }
  }
}

/// What an endpoint needs for its answer besides the request.
package struct EndpointContext {
  let service: CellService
  let archive: CellArchive
  /// The number of the kind in the path; 0 if the path has none.
  let kind: UInt32
  /// What follows the fixed segments of the path, decoded.
  package let tail: String
  /// Where to reserve further memory that is needed for long.
  package let budget: MemoryBudget
}
