package import CellTemplates
import Glibc

// The files beside the templates, which nibs embed and link to.
extension TemplateFolder {
  /// The other files in the folder, for images embedded in nibs. Links follow the rules for templates; names
  /// that start with `.` count as missing.
  package var files: NibFiles { files(limitBytes: NibFiles.limitBytes) }

  /// The files that nibs link to.
  package func assets(_ options: AssetOptions) -> AssetSource {
    AssetSource(files: files(limitBytes: options.limitBytes), options)
  }

  /// - Parameter limitBytes: the largest file.
  package func files(limitBytes: Int) -> NibFiles { Self.files(in: root, limitBytes: limitBytes) }

  /// The files of a folder that is not read as a whole; nil if there is no such folder.
  package static func files(at path: String, limitBytes: Int) -> NibFiles? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return files(in: String(cString: resolved), limitBytes: limitBytes)
  }

  /// - Parameters:
  ///   - root: the folder's path with links resolved.
  ///   - limitBytes: the largest file.
  static func files(in root: String, limitBytes: Int = NibFiles.limitBytes) -> NibFiles {
    NibFiles { path throws(NibFiles.Fault) in
      if FilePath.names(path).contains(where: FilePath.isHidden) { throw .missing }
      guard let resolved = realpath(root + "/" + path, nil) else { throw .missing }
      defer { free(resolved) }
      let target = String(cString: resolved)
      guard FilePath.isInside(target, root) else { throw .outside }
      var status = stat()
      guard stat(target, &status) == 0 else { throw .missing }
      if status.st_size > limitBytes { throw .tooLarge }
      do throws(FileError) {
        return try FileAccess.read(target, limitBytes: limitBytes)
      } catch {
        throw .unreadable(error.reason)
      }
    }
  }
}
