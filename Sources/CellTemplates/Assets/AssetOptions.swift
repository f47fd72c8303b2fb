/// What becomes of the files that nibs link to.
package struct AssetOptions: Sendable, Equatable {
  /// The most bytes of all files together; 0 if files are not collected.
  package var limitBytes = 16 << 20
  /// The address below which clients find the files, valid for `AssetsURL`; nil for this server's own.
  package var url: String?

  package init() {}
}
