public import CellTemplates

extension CellArchive {
  /// What an archive file may hold, in bytes.
  package static let fileLimitBytes = 1 << 30

  /// Compiles the templates of a folder.
  /// - Parameters:
  ///   - folder: read recursively; the path is printed in diagnostics as it is given.
  ///   - schemes: what links may carry; the archive holds them.
  /// - Throws: `TemplateErrors` with every error of every template.
  public static func compiling(
    folder: String, schemes: URLSchemes = .standard
  ) throws(TemplateErrors) -> CellArchive {
    let folder = try TemplateFolder.read(folder)
    return try TemplateCompiler.compile(
      folder.sources, nibs: folder.nibs, files: folder.files, schemes: schemes
    ).archive
  }

  /// Reads an archive that `cellfactory archive` wrote.
  /// - Throws: `ArchiveFileError`, which says what is wrong with the file.
  public static func reading(file: String) throws(ArchiveFileError) -> CellArchive {
    do {
      return try CellArchive(decoding: FileAccess.read(file, limitBytes: fileLimitBytes))
    } catch let error as ArchiveError {
      throw ArchiveFileError(description: "\(file): \(error.description)")
    } catch let error as FileError {
      throw ArchiveFileError(description: error.description)
    } catch {
      throw ArchiveFileError(description: "\(file): \(error)")
    }
  }

  /// Writes the archive as a file, whole or not at all. Links are followed; a device or a FIFO is written to.
  /// - Throws: `ArchiveFileError`; a file that was there before is then unchanged.
  public func write(file: String) throws(ArchiveFileError) {
    do throws(FileError) {
      try FileAccess.write(encoded(), to: file)
    } catch {
      throw ArchiveFileError(description: error.description)
    }
  }
}

/// Why an archive file cannot be read or written, in words.
public struct ArchiveFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, with the path of the file.
  public let description: String
}
