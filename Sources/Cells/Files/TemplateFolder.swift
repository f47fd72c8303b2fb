package import CellTemplates
import Glibc

/// The files of a templates folder, read recursively in the order of their names' bytes.
///
/// Names that start with `.` are skipped. Links are followed inside the folder and refused if they leave it.
/// So a Kubernetes ConfigMap, whose files are links into a hidden folder, works.
package struct TemplateFolder {
  /// Sample rows next to the templates: `KIND.sample.json`.
  package struct Sample: Sendable {
    package let file: String
    package let kind: String
    package let bytes: [UInt8]
  }

  /// What samples are read for.
  package enum SampleUse: Sendable {
    /// To check them: `samples` has their bytes.
    case kept
    /// For the types that they show: `sampleTypes` has them. What cannot be read, or is wrong, shows nothing.
    case learnt
  }

  /// The largest template or sample in bytes.
  package static let fileLimitBytes = 16 << 20
  /// The most nested folders.
  static let depthLimit = 64
  /// The most files and folders in total: links to folders can multiply the paths to a file without bound.
  static let entryLimit = 100_000
  /// The most errors, and the most warnings, that are listed. The rest is counted.
  static let diagnosticLimit = 1000

  package private(set) var sources: [TemplateSource] = []
  /// The nibs; the kind of each source is the nib's name.
  package private(set) var nibs: [TemplateSource] = []
  package private(set) var samples: [Sample] = []
  /// What the samples show of their types, by kind.
  package private(set) var sampleTypes: [String: SampleTypes] = [:]
  /// The manifest of custom elements, as diagnostics name it.
  private var manifest: (file: String, bytes: [UInt8])?
  /// The named formats.
  private var formats: (file: String, bytes: [UInt8])?
  /// Errors for what could not be read: the first `diagnosticLimit`, and how many more there are.
  private(set) var diagnostics: [Diagnostic] = []
  /// Warnings of files that are not read, as many.
  private(set) var warnings: [Diagnostic] = []
  private var unlistedErrors = 0
  private var unlistedWarnings = 0
  let root: String
  private let budget: LoadBudget
  private let sampleUse: SampleUse
  private var learntCount = 0
  private var entries = 0

  /// - Parameters:
  ///   - path: the folder. Diagnostics print it as given.
  ///   - samples: what to read sample rows for.
  ///   - budget: the work that loading may do.
  /// - Throws: an error for everything that cannot be read.
  package static func read(
    _ path: String, samples: SampleUse = .kept, budget: LoadBudget = LoadBudget()
  ) throws(TemplateErrors) -> TemplateFolder {
    let folder = try readSome(path, samples: samples, budget: budget)
    if !folder.diagnostics.isEmpty { throw TemplateErrors(folder.diagnostics) }
    return folder
  }

  /// Reads as much as possible; `diagnostics` has the rest.
  /// - Throws: the reason if the folder itself cannot be read.
  static func readSome(
    _ path: String, samples: SampleUse = .kept, budget: LoadBudget
  ) throws(TemplateErrors) -> TemplateFolder {
    guard let resolved = realpath(path, nil) else {
      throw TemplateErrors([unreadable(path, String(cString: strerror(errno)))])
    }
    defer { free(resolved) }
    var folder = TemplateFolder(
      root: String(cString: resolved), samples: samples, budget: budget)
    var trimmed = path
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    folder.read(folder.root, shown: trimmed, below: "", ancestors: [folder.root])
    folder.countUnlisted(shown: trimmed)
    if let fault = budget.fault { throw TemplateErrors([fault]) }
    return folder
  }

  private init(root: String, samples: SampleUse, budget: LoadBudget) {
    self.root = root
    sampleUse = samples
    self.budget = budget
  }

  private mutating func read(_ directory: String, shown: String, below: String, ancestors: [String]) {
    if ancestors.count > Self.depthLimit {
      diagnostics.append(
        Self.unreadable(shown, "folders are nested deeper than \(Self.depthLimit)", hint: "move it up"))
      return
    }
    guard let names = Self.names(in: directory, limit: Self.entryLimit - entries) else {
      note(Self.unreadable(shown, String(cString: strerror(errno))))
      return
    }
    // Those of a folder count before any is read, for the names of a folder are kept while those in it are read.
    entries += names.count
    if entries >= Self.entryLimit {
      note(
        Self.unreadable(
          shown, "there are more than \(Self.entryLimit) files and folders",
          hint: "move what is not of cells out of it"))
    }
    // A system call costs as much as this many bytes.
    for bytes in names where entries < Self.entryLimit && budget.spend(1000) {
      guard let name = String(validating: bytes, as: UTF8.self) else {
        let name = String(decoding: bytes, as: UTF8.self)
        note(Self.unreadable(shown + "/" + name, "its name is not UTF-8", hint: "rename it"))
        continue
      }
      let path = directory + "/" + name
      let shownPath = shown + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0 else {
        note(Self.unreadable(shownPath, String(cString: strerror(errno))))
        continue
      }
      var target = path
      if status.st_mode & S_IFMT == S_IFLNK {
        guard let resolved = resolve(path, shown: shownPath), stat(resolved, &status) == 0 else { continue }
        target = resolved
      }
      if status.st_mode & S_IFMT == S_IFDIR {
        if ancestors.contains(where: { $0.utf8.elementsEqual(target.utf8) }) {
          diagnostics.append(
            Self.unreadable(shownPath, "the link leads back to a parent folder", hint: "remove the link"))
        } else {
          read(target, shown: shownPath, below: below + name + "/", ancestors: ancestors + [target])
        }
      } else {
        readFile(target, shown: shownPath, name: below + name)
      }
    }
  }

  /// The target of a link; nil, with a diagnostic, if it does not exist or is outside the folder.
  private mutating func resolve(_ path: String, shown: String) -> String? {
    guard let resolved = realpath(path, nil) else {
      note(Self.unreadable(shown, "broken link: " + String(cString: strerror(errno))))
      return nil
    }
    defer { free(resolved) }
    let target = String(cString: resolved)
    if !FilePath.isInside(target, root) {
      note(
        Diagnostic(
          .outsideFolder, file: shown, message: "the link leaves the templates folder",
          hint: "put the file itself into the folder"))
      return nil
    }
    return target
  }

  /// The custom elements that the folder's manifest declares.
  /// - Throws: every error in the manifest.
  func customElements() throws(TemplateErrors) -> CustomElements {
    guard let manifest else { return .none }
    return try CustomElementsManifest.read(manifest.bytes, file: manifest.file, budget: budget)
  }

  /// The formats that the folder gives names.
  /// - Throws: every error in their file.
  func formatNames() throws(TemplateErrors) -> NamedFormats {
    guard let formats else { return .none }
    return try FormatsFile.read(formats.bytes, file: formats.file, budget: budget)
  }

  /// Whether a file is read for its name, may be a file that nibs link to, or is warned of because it looks like a template.
  package static func concerns(_ name: String) -> Bool {
    ending(of: name) != nil || AssetType(path: name) != nil || unreadEnding(of: name) != nil
  }

  /// Whether a file of any name may be an image that a nib embeds, which is known by its content.
  package static func mayBeImage(_ path: String) -> Bool {
    // What is read from a pipe is lost to its reader, and opening it wakes a waiting writer.
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: EmbeddedImage.beginningBytes)
    let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    return EmbeddedImage.mayBegin(with: Array(bytes.prefix(max(count, 0))))
  }

  /// What the name of a file that is read ends with: all of it, for those that there is one of in a folder.
  private static func ending(of name: String) -> String? {
    if [CustomElementsManifest.fileName, FormatsFile.fileName].contains(name) { return name }
    return [".html", ".txt.mustache", ".mustache", ".sample.json"].first(where: name.hasSuffix)
  }

  private mutating func readFile(_ path: String, shown: String, name: String) {
    guard let ending = Self.ending(of: name) else {
      noteUnread(shown)
      return
    }
    budget.file = shown
    guard budget.keep(path: shown) else { return }
    let kind = String(name.dropLast(ending.count))
    if ending == ".sample.json", sampleUse == .learnt { return learn(path, of: kind) }
    do throws(FileError) {
      let bytes = try FileAccess.read(path, limitBytes: Self.fileLimitBytes)
      guard budget.keep(textBytes: bytes.count), budget.spend(bytes.count) else { return }
      switch ending {
      case CustomElementsManifest.fileName: manifest = (shown, bytes)
      case FormatsFile.fileName: formats = (shown, bytes)
      case ".html": nibs.append(TemplateSource(file: shown, kind: kind, mode: .html, bytes: bytes))
      case ".sample.json": samples.append(Sample(file: shown, kind: kind, bytes: bytes))
      case ".txt.mustache":
        sources.append(TemplateSource(file: shown, kind: kind, mode: .text, bytes: bytes))
      default: sources.append(TemplateSource(file: shown, kind: kind, mode: .html, bytes: bytes))
      }
    } catch {
      note(Self.unreadable(shown, error.reason, hint: error.hint))
    }
  }

  /// Learns the types of a sample's rows. Its bytes are not kept.
  private mutating func learn(_ path: String, of kind: String) {
    guard learntCount < SampleTypes.archiveLimit,
      let bytes = try? FileAccess.read(path, limitBytes: SampleLearner.limitBytes),
      budget.spend(2 * bytes.count), let types = SampleLearner.types(of: bytes)
    else { return }
    learntCount += types.entries.count
    sampleTypes[kind] = types
  }

  /// Endings of files that look like templates and are not read.
  private static let unreadEndings = [
    ".htm", ".hbs", ".handlebars", ".liquid", ".jinja", ".j2", ".ejs", ".twig",
  ]

  private static func unreadEnding(of name: String) -> String? {
    let lowercase = name.lowercased()
    return unreadEndings.first(where: lowercase.hasSuffix)
  }

  private mutating func noteUnread(_ shown: String) {
    guard let ending = Self.unreadEnding(of: shown) else { return }
    if warnings.count == Self.diagnosticLimit {
      unlistedWarnings += 1
      return
    }
    warnings.append(
      Diagnostic(
        .unreadTemplate, file: shown, message: "\(ending) files are not read",
        hint: ending == ".htm"
          ? "rename it to .html if it is a nib"
          : "write it in Mustache, as NAME.mustache, or as a nib, NAME.html"))
  }

  /// Notes an error, or counts it.
  private mutating func note(_ error: Diagnostic) {
    if diagnostics.count < Self.diagnosticLimit { diagnostics.append(error) } else { unlistedErrors += 1 }
  }

  /// Reports how many errors and warnings are not listed.
  private mutating func countUnlisted(shown: String) {
    if unlistedErrors > 0 {
      diagnostics.append(
        Self.unreadable(
          shown, "\(unlistedErrors) more of its files and folders",
          hint: "correct those that are listed first"))
    }
    if unlistedWarnings > 0 {
      warnings.append(
        Diagnostic(
          .unreadTemplate, file: shown, message: "\(unlistedWarnings) more files are not read",
          hint: "rename or rewrite those that are listed first"))
    }
  }

  /// The names in a directory without hidden ones, sorted by bytes: `limit` of them if there are more. Nil if it cannot be
  /// read.
  private static func names(in directory: String, limit: Int) -> [[UInt8]]? {
    guard let handle = opendir(directory) else { return nil }
    defer { closedir(handle) }
    var names: [[UInt8]] = []
    while names.count < limit, let entry = readdir(handle) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        // `d_name` ends with a NUL inside the entry, which is valid until the next `readdir`.
        Array(bytes.prefix { $0 != 0 })
      }
      if name.first != UInt8(ascii: ".") { names.append(name) }
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func unreadable(
    _ path: String, _ reason: String, hint: String = "fix the path or its permissions"
  ) -> Diagnostic {
    Diagnostic(.unreadable, file: path, message: "cannot be read: \(reason)", hint: hint)
  }
}
