import CellTemplates
import Cells

/// What the service has at one path: its methods, its label in metrics, what the contract says of it, and what answers.
/// Each has a file of its own; `Endpoints` lists them.
final class Endpoint: Sendable {
  /// Makes the answer to a request whose path, kind and method have been judged; its body is there.
  typealias Handler =
    @Sendable (
      EndpointContext, borrowing RequestHead, _ body: inout ByteBuffer, _ output: consuming ByteBuffer,
      isolated CellFactory
    ) throws(Problem) -> Answer

  /// As the contract and metrics write it: a word after a slash, and `/{kind}` where a kind follows.
  let path: StaticString
  let methods: MethodSet
  /// Whether a query may say something; else every name in it is refused.
  let takesQuery: Bool
  /// Whether it tells how the server is: it is answered however much there is to do.
  let isForOperators: Bool
  /// nil: the contract says nothing of it.
  let description: EndpointDescription?
  let answer: Handler
  /// Whether a kind of the archive follows the word.
  let namesKind: Bool
  /// Bytes of the word, with the slash before it.
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

  /// Whether the target's path is this one. False of a malformed one.
  func isNamed(by target: borrowing RequestTarget) -> Bool {
    guard target.parts.wordCount == wordCount, target.parts.rest.isEmpty != namesKind else { return false }
    // Bytes, since texts are compared by what they mean. The word begins the path, and this one's.
    return target.path.utf8.withContiguousStorageIfAvailable { path in
      for place in 0..<wordCount where path[place] != self.path.utf8Start[place] { return false }
      return true
    } ?? target.path.utf8.starts(with: UnsafeBufferPointer(start: path.utf8Start, count: wordCount))
  }

  /// Refuses a method that it does not take: `.methodNotAllowed`.
  func check(_ method: RequestHead.Method) throws(Problem) {
    guard methods.has(method) else { throw .methodNotAllowed(method, allow: methods.names) }
  }
}

/// What an endpoint has for its answer beside the request itself.
struct EndpointContext {
  let service: CellService
  let archive: CellArchive
  /// The number of the kind that the path names; 0 where it names none.
  let kind: UInt32
  /// Where it reserves what else it needs for long.
  let budget: MemoryBudget
}
