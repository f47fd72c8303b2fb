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
    try compiling(folder: folder, schemes: schemes, budget: LoadBudget())
  }

  /// - Parameter budget: what loading may take.
  package static func compiling(
    folder: String, schemes: URLSchemes, budget: LoadBudget
  ) throws(TemplateErrors) -> CellArchive {
    let folder = try TemplateFolder.read(folder, readsSamples: false, budget: budget)
    return try TemplateCompiler.compile(
      folder.sources, nibs: folder.nibs, files: folder.files, schemes: schemes, budget: budget
    ).archive
  }

  /// Reads an archive that `cellfactory archive` wrote.
  /// - Throws: `ArchiveFileError`, which says what is wrong with the file.
  public static func reading(file: String) throws(ArchiveFileError) -> CellArchive {
    try reading(file: file, budget: LoadBudget())
  }

  /// - Parameter budget: what loading may take.
  package static func reading(file: String, budget: LoadBudget) throws(ArchiveFileError) -> CellArchive {
    budget.file = file
    do {
      return try CellArchive(
        decoding: FileAccess.read(file, limitBytes: fileLimitBytes), budget: budget)
    } catch let error as ArchiveError {
      throw ArchiveFileError(description: "\(file): \(error.description)")
    } catch let error as FileError {
      throw ArchiveFileError(description: error.description)
    } catch {
      throw ArchiveFileError(description: "\(file): \(error)")
    }
  }

  /// Writes the archive as a file, whole or not at all. Links are followed; a device or a FIFO is written to. What is
  /// written has been read as `reading` reads it.
  /// - Throws: `ArchiveFileError`; a file that was there before is then unchanged.
  public func write(file: String) throws(ArchiveFileError) {
    let bytes = encoded()
    do {
      if bytes.count > Self.fileLimitBytes {
        throw FileError(path: file, reason: "the archive is larger than \(Self.fileLimitBytes) bytes")
      }
      try Self.verify(bytes, as: hash)
      try FileAccess.write(bytes, to: file)
    } catch let error as ArchiveError {
      throw ArchiveFileError(
        description:
          "\(file): not written, for nothing could read it: \(error.description); report this, please")
    } catch let error as FileError {
      throw ArchiveFileError(description: error.description)
    } catch {
      throw ArchiveFileError(description: "\(file): \(error)")
    }
  }

  private static func verify(_ bytes: [UInt8], as hash: String) throws(ArchiveError) {
    let read = try CellArchive(decoding: bytes)
    if read.hash != hash { throw .damaged }
  }
}

/// Why an archive file cannot be read or written, in words.
public struct ArchiveFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, with the path of the file.
  public let description: String
}
