extension CellArchive {
  /// Where the links in style sheets lead.
  var assetLinks: AssetLinks {
    AssetLinks(base: assetsURL ?? AssetLinks.ownBase) { [self] path in
      asset(at: path).map { tables.$assets[$0].hash.hex }
    }
  }
}
