import CellTemplates

/// Compiles templates given as `["news.mustache": "…"]`.
enum Templates {
  static func source(_ file: String, _ bytes: [UInt8], folder: String = "") -> TemplateSource {
    let isText = file.hasSuffix(".txt.mustache")
    let kind = String(file.dropLast(isText ? 13 : 9))
    return TemplateSource(file: folder + file, kind: kind, mode: isText ? .text : .html, bytes: bytes)
  }

  static func sources(_ templates: KeyValuePairs<String, String>, folder: String = "") -> [TemplateSource] {
    templates.map { source($0.key, Array($0.value.utf8), folder: folder) }
  }

  static func archive(_ templates: KeyValuePairs<String, String>, folder: String = "") throws -> CellArchive {
    try TemplateCompiler.compile(sources(templates, folder: folder)).archive
  }

  /// Errors and warnings as `LINE:COLUMN CODE`, with the file before them if there are several.
  static func diagnostics(_ sources: [TemplateSource]) -> [String] {
    let found: [Diagnostic]
    do throws(TemplateErrors) {
      found = try TemplateCompiler.compile(sources).warnings
    } catch {
      found = error.diagnostics
    }
    return found.map {
      (sources.count > 1 ? "\($0.file):" : "") + "\($0.line):\($0.column) \($0.code.rawValue)"
    }
  }
}
