import CellTemplates
import Cells

extension Answer {
  /// Longer bodies have no entity tag, because they are hashed in one step.
  private static var taggedBytes: Int { 16 << 20 }

  /// Adds the entity tag of the body as sent, if the answer is to have one. The answer becomes 304 if the
  /// client has that version.
  /// - Parameter known: the `If-None-Match` header.
  consuming func tagged(against known: String?) -> Answer {
    guard isTagged else { return self }
    isTagged = false
    if body.count > Self.taggedBytes { return self }
    let tag = EntityTag(ContentHash(of: body.bytes).hex)
    headers.append(("ETag", tag.headerValue))
    if let known, tag.isNamed(inIfNoneMatch: known) {
      // The body stays but is not sent: its length is that of the 200 answer.
      status = 304
    }
    return self
  }
}
