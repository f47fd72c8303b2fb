import CellTemplates

extension AllowedSchemes {
  // Lives as long as the process.
  private static let names = FrozenArray(Array("httphttpsmailtotel".utf8))
  private static let refs = FrozenArray([0, 4, 4, 5, 9, 6, 15, 3] as [UInt32])

  init(_ archive: CellArchive) {
    let refs = UnsafeRawPointer(Self.refs.base).assumingMemoryBound(to: LiteralRef.self)
    self.init(names: UnsafeBufferPointer(start: refs, count: 4), literals: Self.names.base)
  }
}
