/// The files that nibs link to.
extension ArchiveVerifier {
  func verifyAssets() throws(ArchiveError) {
    var previous: [UInt8]?
    var start: UInt64 = 0
    var length: UInt64 = 0
    for asset in tables.assets {
      try spend(1 + Int(asset.count) / 10)
      try check(isInside(asset.path), "a file's path is outside the literals")
      // Paths must not share text, so that overlapping ones cannot exhaust the memory.
      length += UInt64(asset.path.count)
      try check(length <= UInt64(tables.literals.count), "the paths of files are longer than their texts")
      let path = bytes(asset.path)
      try check(Self.isPath(path), "a file has no valid path")
      if let previous { try check(previous.lexicographicallyPrecedes(path), "the files are not sorted") }
      previous = path
      try check(AssetType(rawValue: asset.type) != nil, "a file has an unknown type")
      try check(UInt64(asset.start) == start, "files share bytes")
      start += UInt64(asset.count)
      try check(start <= UInt64(tables.assetBytes.count), "a file's bytes are missing")
      let hash = tables.assetBytes.withUnsafeBytes {
        ContentHash(of: UnsafeRawBufferPointer(rebasing: $0[Int(asset.start)..<Int(start)]))
      }
      try check(hash == asset.hash, "a file does not have its hash")
    }
    try check(start == UInt64(tables.assetBytes.count), "bytes belong to no file")
  }

  func verifyAssetsURL() throws(ArchiveError) {
    try check(tables.assetsURL.count <= 1, "there are several addresses of files")
    for url in tables.assetsURL {
      try check(
        isInside(url) && url.count <= AssetsURL.limitBytes
          && AssetsURL.isValid(String(decoding: bytes(url), as: UTF8.self)),
        "the address of files is not valid")
    }
  }

  /// Whether the bytes are segments without `.` and `..`, in UTF-8.
  private static func isPath(_ path: [UInt8]) -> Bool {
    guard String(validating: path, as: UTF8.self) != nil, !path.contains(0) else { return false }
    return path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
    }
  }
}
