/// Where the files that nibs link to are, and what becomes of them.
package struct AssetSource: Sendable {
  /// The templates folder. A file of more than `options.limitBytes` is a fault.
  package let files: NibFiles
  package let options: AssetOptions

  package init(files: NibFiles, _ options: AssetOptions) { (self.files, self.options) = (files, options) }

  /// No files.
  package static let none: AssetSource = {
    var options = AssetOptions()
    options.limitBytes = 0
    return AssetSource(files: .none, options)
  }()
}
