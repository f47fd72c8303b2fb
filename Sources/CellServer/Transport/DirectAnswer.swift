import CMicrohttpd
import Cells

#if canImport(Glibc)
  import Glibc
#endif

/// Serializes an answer that is sent without libmicrohttpd. It is the last one of its connection.
enum DirectAnswer {
  static func bytes(
    of answer: borrowing Answer, to head: borrowing RequestHead, _ settings: borrowing ServerSettings,
    archiveHash: String
  ) -> ByteBuffer {
    var output = ByteBuffer(capacity: 1024 + answer.body.count)
    output.append("HTTP/1.1 ")
    output.append(decimal: answer.status)
    output.append(" ")
    append(MHD_get_reason_phrase_for(UInt32(answer.status)), to: &output)
    output.append("\r\nDate: ")
    output.append(date())
    output.append("\r\nConnection: close\r\nContent-Length: ")
    output.append(decimal: answer.body.count)
    output.append("\r\n")
    answer.forEachHeader(to: head, settings, archiveHash: archiveHash) { name, value in
      append(name, to: &output)
      output.append(": ")
      append(value, to: &output)
      output.append("\r\n")
    }
    output.append("\r\n")
    if head.method != .head { output.append(answer.body.bytes) }
    return output
  }

  private static func append(_ text: UnsafePointer<CChar>?, to output: inout ByteBuffer) {
    if let text { output.append(UnsafeRawPointer(text), count: strlen(text)) }
  }

  /// The format of RFC 9110, section 5.6.7. Relies on the C locale, which the process never changes.
  private static func date() -> [UInt8] {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 40)
    let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return text.prefix(count).map { UInt8(bitPattern: $0) }
  }
}
