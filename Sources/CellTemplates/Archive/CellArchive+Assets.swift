/// The files that nibs link to.
extension CellArchive {
  /// The number of the file with this path; nil if there is none. Takes logarithmic time.
  package func asset(at path: String) -> Int? {
    let assets = tables.$assets
    var path = path
    return path.withUTF8 { wanted in
      var (low, high) = (0, assets.count)
      while low < high {
        let middle = (low + high) / 2
        if bytes(assets[middle].path).lexicographicallyPrecedes(wanted) {
          low = middle + 1
        } else {
          high = middle
        }
      }
      return low < assets.count && bytes(assets[low].path).elementsEqual(wanted) ? low : nil
    }
  }

  /// The bytes of all files together.
  package var assetBytes: Int { tables.$assetBytes.count }

  /// The bytes of a file. Valid as long as the archive exists.
  package func assetBytes(_ number: Int) -> UnsafeRawBufferPointer {
    let asset = tables.$assets[number]
    return UnsafeRawBufferPointer(start: tables.$assetBytes.base + Int(asset.start), count: Int(asset.count))
  }

  package func assetType(_ number: Int) -> AssetType {
    guard let type = AssetType(rawValue: tables.$assets[number].type) else {
      preconditionFailure("the types of files are verified")
    }
    return type
  }
}
