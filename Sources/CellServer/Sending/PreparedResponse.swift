import CMicrohttpd
import Cells

/// A libmicrohttpd response with headers and memory for a body, reused for answers that differ only in the bytes of
/// their bodies and in their request ids.
///
/// Its length is fixed, and creating one costs more than rendering a small cell. Confined to the worker's
/// thread. From `fill` to the end of the request it was queued for, it belongs to that request.
final class PreparedResponse {
  /// What answers must have in common to share a response. `ServerSettings` determine the remaining headers.
  struct Kind: Equatable {
    /// Length of the body in bytes.
    let count: Int
    private let contentType: UnsafePointer<UInt8>
    private let varies: Varying
    private let isSandboxed: Bool
    private let allowedOrigin: Int?
    private let tally: ValueTally

    /// nil if the answer is large or has headers of its own.
    init?(of answer: borrowing Answer, to head: borrowing RequestHead) {
      guard answer.status == 200, answer.headers.isEmpty, !answer.closesConnection, !answer.isPublic,
        let contentType = answer.contentType, 1...PreparedResponses.largestBytes ~= answer.body.count
      else { return nil }
      count = answer.body.count
      // Compared by address. Two equal literals may differ, which only costs another response.
      self.contentType = contentType.utf8Start
      varies = answer.varies
      isSandboxed = answer.isSandboxed
      allowedOrigin = head.allowedOrigin
      tally = answer.tally
    }

    /// A hash that also spreads kinds of the same length.
    var spread: Int {
      count &+ Int(bitPattern: contentType) >> 4 &+ (allowedOrigin ?? -1) &* 31 &+ (isSandboxed ? 127 : 0)
    }
  }

  let kind: Kind
  let archiveHash: String
  /// Whether its headers say that the last reload has failed.
  let tellsOfFailedReload: Bool
  /// Owned. libmicrohttpd holds its own reference while it sends.
  let handle: OpaquePointer
  /// Owned: `kind.count` bytes, which libmicrohttpd reads while it sends.
  private let bytes: UnsafeMutableRawPointer
  /// The request id now among the headers; empty if there is none.
  private var requestID = ""
  /// libmicrohttpd's copy of `requestID`; nil if its address is unknown.
  private var idText: UnsafeMutablePointer<CChar>?

  /// A response for this answer and others of its kind. nil if libmicrohttpd is out of memory.
  init?(
    _ kind: Kind, for answer: borrowing Answer, to head: borrowing RequestHead,
    _ settings: borrowing ServerSettings,
    archiveHash: String, tellsOfFailedReload: Bool
  ) {
    bytes = .allocate(byteCount: kind.count, alignment: 1)
    guard let handle = MHD_create_response_from_buffer(kind.count, bytes, .RESPMEM_PERSISTENT) else {
      bytes.deallocate()
      return nil
    }
    self.kind = kind
    self.archiveHash = archiveHash
    self.tellsOfFailedReload = tellsOfFailedReload
    self.handle = handle
    var isComplete = true
    answer.forEachLastingHeader(
      to: head, settings, archiveHash: archiveHash, tellsOfFailedReload: tellsOfFailedReload
    ) { name, value in
      if MHD_add_response_header(handle, name, value) != .YES { isComplete = false }
    }
    // `deinit` releases what was created.
    if !isComplete { return nil }
  }

  deinit {
    MHD_destroy_response(handle)
    bytes.deallocate()
  }

  /// Copies the answer's body, of `kind.count` bytes, and sets the request id. Returns false if the response
  /// cannot be used.
  func fill(_ body: UnsafeRawBufferPointer, requestID: String) -> Bool {
    precondition(body.count == kind.count)
    UnsafeMutableRawBufferPointer(start: bytes, count: kind.count).copyMemory(from: body)
    return identify(by: requestID)
  }

  private func identify(by requestID: String) -> Bool {
    if let idText, requestID.utf8.count == self.requestID.utf8.count {
      // Replaces exactly as many bytes, up to the terminating zero. Nothing reads them until the response is
      // queued.
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
    // libmicrohttpd keeps a header's text as a private heap copy, and reads it only when it writes the head.
    // For other versions this is unknown; then the header is removed and added again, at ten times the cost.
    if LibraryVersion.isKnown {
      idText = MHD_get_response_header(handle, name).map { UnsafeMutablePointer(mutating: $0) }
    }
    return true
  }
}
