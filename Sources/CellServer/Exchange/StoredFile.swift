package import CellTemplates

/// A file that is served as it is, from memory.
///
/// Its answers have an entity tag, and clients ask again each time they use it, unless its address names the version that it
/// has: then they keep it for a year.
package struct StoredFile: Sendable {
  private static let kept = "public, max-age=31536000, immutable"
  private static let asked = "no-cache"

  package let contentType: StaticString
  package let bytes: StoredBytes
  /// The hash of the bytes, in hexadecimal.
  package let hash: String
  /// Whether compression may make it smaller.
  package var isCompressible = true

  package init(contentType: StaticString, bytes: StoredBytes, hash: String, isCompressible: Bool = true) {
    self.contentType = contentType
    self.bytes = bytes
    self.hash = hash
    self.isCompressible = isCompressible
  }

  /// A file that nibs link to.
  package init(_ asset: Asset) {
    self.init(
      contentType: asset.type.contentType, bytes: StoredBytes(asset.bytes), hash: asset.hash.hex,
      isCompressible: asset.type.isCompressible)
  }

  /// A file of an archive, by its number.
  package init(asset number: Int, of archive: CellArchive) {
    let type = archive.assetType(number)
    self.init(
      contentType: type.contentType, bytes: StoredBytes(asset: number, of: archive),
      hash: archive.tables.$assets[number].hash.hex, isCompressible: type.isCompressible)
  }

  /// The value of `Cache-Control`.
  /// - Parameters:
  ///   - version: the version that the address names, if any.
  ///   - hash: the current one.
  static func cacheControl(version: String?, of hash: String?) -> String {
    version != nil && version == hash ? kept : asked
  }

  /// - Parameters:
  ///   - version: the version that the address names, if any.
  ///   - headers: more headers.
  package func answer(
    _ head: borrowing RequestHead, version: String? = nil, headers: [Answer.Header] = [], budget: MemoryBudget
  ) -> Answer {
    let tag = EntityTag(hash)
    var answer = Answer(
      status: 200, contentType: contentType,
      headers: [
        ("Cache-Control", Self.cacheControl(version: version, of: hash)),
        // The same for compressed bytes, so it is weak (RFC 9110, section 8.8.1).
        ("ETag", "W/" + tag.headerValue),
      ] + headers)
    answer.isCompressible = isCompressible
    if head.ifNoneMatch.map({ tag.isNamed(inIfNoneMatch: $0) }) ?? false { answer.status = 304 }
    return StoredBody.answer(answer, bytes, isShared: true, budget: budget)
  }
}
