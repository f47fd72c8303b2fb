import CMicrohttpd
import Cells

/// A response of libmicrohttpd with its headers, and memory for its body, for answers that differ in body and request id
/// alone.
///
/// Its length is fixed when it is made, and making it costs more than rendering a small cell. Confined to the worker's
/// thread; between `fill` and the end of the request for which it was queued it is that request's alone.
final class PreparedResponse {
  /// What answers have in common that can take turns with one response. `ServerSettings` say the rest of their headers.
  struct Kind: Equatable {
    /// The body's bytes.
    let count: Int
    private let contentType: UnsafePointer<UInt8>
    private let varies: Varying
    private let isSandboxed: Bool
    private let allowedOrigin: Int?

    /// nil: the answer is large, or has something in its head that is its own.
    init?(of answer: borrowing Answer, to head: borrowing RequestHead) {
      guard answer.status == 200, answer.headers.isEmpty, !answer.closesConnection,
        let contentType = answer.contentType, 1...PreparedResponses.largestBytes ~= answer.body.count
      else { return nil }
      count = answer.body.count
      // Two literals of the same words count as different, which costs a response and nothing else.
      self.contentType = contentType.utf8Start
      varies = answer.varies
      isSandboxed = answer.isSandboxed
      allowedOrigin = head.allowedOrigin
    }

    /// A number that spreads kinds out, those of one length as well.
    var spread: Int {
      count &+ Int(bitPattern: contentType) >> 4 &+ (allowedOrigin ?? -1) &* 31 &+ (isSandboxed ? 127 : 0)
    }
  }

  let kind: Kind
  let archiveHash: String
  /// Owned; the library counts a reference of its own while it sends.
  let handle: OpaquePointer
  /// Owned: `kind.count` bytes, which the library reads while it sends.
  private let bytes: UnsafeMutableRawPointer
  /// The one that is among the headers now; empty: none is.
  private var requestID = ""
  /// Where the library keeps it, of `requestID`'s length; nil: not known.
  private var idText: UnsafeMutablePointer<CChar>?

  /// For the answer and others of its kind. nil: libmicrohttpd has no memory.
  init?(
    _ kind: Kind, for answer: borrowing Answer, to head: borrowing RequestHead,
    _ settings: borrowing ServerSettings,
    archiveHash: String
  ) {
    bytes = .allocate(byteCount: kind.count, alignment: 1)
    guard let handle = MHD_create_response_from_buffer(kind.count, bytes, .RESPMEM_PERSISTENT) else {
      bytes.deallocate()
      return nil
    }
    self.kind = kind
    self.archiveHash = archiveHash
    self.handle = handle
    var isComplete = true
    answer.forEachLastingHeader(to: head, settings, archiveHash: archiveHash) { name, value in
      if MHD_add_response_header(handle, name, value) != .YES { isComplete = false }
    }
    // What has been made is given back by `deinit`.
    if !isComplete { return nil }
  }

  deinit {
    MHD_destroy_response(handle)
    bytes.deallocate()
  }

  /// Takes over an answer: its body, of `kind.count` bytes, and its request's id. `false`: it cannot be sent so.
  func fill(_ body: UnsafeRawBufferPointer, requestID: String) -> Bool {
    precondition(body.count == kind.count)
    UnsafeMutableRawBufferPointer(start: bytes, count: kind.count).copyMemory(from: body)
    return identify(by: requestID)
  }

  private func identify(by requestID: String) -> Bool {
    if let idText, requestID.utf8.count == self.requestID.utf8.count {
      // As many bytes as stand there before the text's zero; nobody reads them until the response is queued.
      requestID.withCString { idText.update(from: $0, count: requestID.utf8.count) }
      self.requestID = requestID
      return true
    }
    let name = Answer.requestIDName.cString
    idText = nil
    if !self.requestID.isEmpty {
      guard self.requestID.withCString({ MHD_del_response_header(handle, name, $0) }) == .YES else {
        return false
      }
      self.requestID = ""
    }
    guard requestID.withCString({ MHD_add_response_header(handle, name, $0) }) == .YES else { return false }
    self.requestID = requestID
    // A header's text is a copy of the library's own on the heap, which it reads when it writes the head, and that is all.
    // Of another version that is not known: there a header is taken out and put in again, at ten times the cost.
    if LibraryVersion.isKnown {
      idText = MHD_get_response_header(handle, name).map { UnsafeMutablePointer(mutating: $0) }
    }
    return true
  }
}
