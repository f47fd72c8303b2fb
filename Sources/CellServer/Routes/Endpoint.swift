import CellTemplates
import Cells

/// One path of the service: its methods, metrics label, API description and handler. Each endpoint has its
/// own file; `Endpoints` lists them.
final class Endpoint: Sendable {
  /// Makes the answer. Path, kind and method have been checked, and the body is complete.
  typealias Handler =
    @Sendable (
      EndpointContext, borrowing RequestHead, _ body: inout ByteBuffer, _ output: consuming ByteBuffer,
      isolated CellFactory
    ) throws(Problem) -> Answer

  /// As in the API description and metrics: one segment, optionally followed by `/{kind}`.
  let path: StaticString
  let methods: MethodSet
  /// Whether query parameters are allowed; otherwise any is refused.
  let takesQuery: Bool
  /// Whether the endpoint reports the server's state. It is answered even under overload.
  let isForOperators: Bool
  /// nil if the endpoint is not part of the API description.
  let description: EndpointDescription?
  let answer: Handler
  /// Whether a kind follows the first segment.
  let namesKind: Bool
  /// Length of the first segment in bytes, including its slash.
  private let wordCount: Int

  init(
    _ path: StaticString, _ methods: MethodSet, takesQuery: Bool = false, isForOperators: Bool = false,
    description: EndpointDescription?, answer: @escaping Handler
  ) {
    let kind: StaticString = "/{kind}"
    self.path = path
    self.methods = methods
    self.takesQuery = takesQuery
    self.isForOperators = isForOperators
    self.description = description
    self.answer = answer
    namesKind = path.description.hasSuffix(kind.description)
    wordCount = path.utf8CodeUnitCount - (namesKind ? kind.utf8CodeUnitCount : 0)
  }

  /// Whether the target has this path. False if the target is malformed.
  func isNamed(by target: borrowing RequestTarget) -> Bool {
    guard target.parts.wordCount == wordCount, target.parts.rest.isEmpty != namesKind else { return false }
    // Compares bytes, because string comparison is by canonical equivalence. Both paths start with the
    // segment.
    return target.path.utf8.withContiguousStorageIfAvailable { path in
      for place in 0..<wordCount where path[place] != self.path.utf8Start[place] { return false }
      return true
    } ?? target.path.utf8.starts(with: UnsafeBufferPointer(start: path.utf8Start, count: wordCount))
  }

  /// Throws `.methodNotAllowed` if the path does not accept the method.
  func check(_ method: RequestHead.Method) throws(Problem) {
    guard methods.has(method) else { throw .methodNotAllowed(method, allow: methods.names) }
  }
}

/// What an endpoint needs for its answer besides the request.
struct EndpointContext {
  let service: CellService
  let archive: CellArchive
  /// The number of the kind in the path; 0 if the path has none.
  let kind: UInt32
  /// Where to reserve further memory that is needed for long.
  let budget: MemoryBudget
}
