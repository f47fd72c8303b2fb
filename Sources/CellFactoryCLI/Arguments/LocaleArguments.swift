import ArgumentParser
import CellTemplates

/// The locales that cells are offered in. Stored in the archive, so needed where templates are compiled.
struct LocaleArguments: ParsableArguments {
  @Option(Settings.locale) var locale
  @Option(repeated: Settings.locales) var locales

  func offered(_ sources: SettingSources) throws -> OfferedLocales {
    // Both have been checked.
    try OfferedLocales(
      standard: try sources[Settings.locale], others: try sources.value(Settings.locales) ?? "")
  }
}
