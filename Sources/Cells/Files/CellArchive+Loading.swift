public import CellTemplates

extension CellArchive {
  /// The largest archive file in bytes.
  package static let fileLimitBytes = 1 << 30

  /// Compiles the templates of a folder.
  /// - Parameters:
  ///   - folder: read recursively. Diagnostics print the path as given.
  ///   - schemes: the URL schemes allowed in links; stored in the archive.
  /// - Throws: `TemplateErrors` with every error in every template.
  public static func compiling(
    folder: String, schemes: URLSchemes = .standard
  ) throws(TemplateErrors) -> CellArchive {
    try compiling(folder: folder, schemes: schemes, locales: .english, budget: LoadBudget())
  }

  /// - Parameters:
  ///   - assets: what becomes of the files that nibs link to.
  ///   - locales: what the cells are offered in.
  ///   - budget: the work that loading may do.
  package static func compiling(
    folder: String, schemes: URLSchemes, assets: AssetOptions = AssetOptions(), locales: OfferedLocales,
    budget: LoadBudget
  ) throws(TemplateErrors) -> CellArchive {
    let folder = try TemplateFolder.read(folder, samples: .learnt, budget: budget)
    let settings = try TemplateSettings(
      files: folder.files, schemes: schemes, elements: folder.customElements(), formats: folder.formatNames(),
      locales: locales, budget: budget)
    return try TemplateCompiler.compile(
      folder.sources, nibs: folder.nibs, assets: folder.assets(assets), samples: folder.sampleTypes,
      with: settings
    ).archive
  }

  /// Reads an archive written by `cellfactory archive`.
  /// - Throws: `ArchiveFileError` with what is wrong with the file.
  public static func reading(file: String) throws(ArchiveFileError) -> CellArchive {
    try reading(file: file, budget: LoadBudget())
  }

  /// - Parameter budget: the work that loading may do.
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

  /// Writes the archive to a file, completely or not at all. Symbolic links are followed; devices and FIFOs
  /// are written to. The encoded archive is first read back as by `reading`.
  /// - Throws: `ArchiveFileError`; an existing file is then unchanged.
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
          "\(file): not written, because it could not be read back: \(error.description); please report this")
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

/// Why an archive file cannot be read or written.
public struct ArchiveFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A description that includes the file's path.
  public let description: String
}
