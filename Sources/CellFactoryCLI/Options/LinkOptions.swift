import ArgumentParser

/// The URL schemes allowed in rendered links. Stored in the archive, so needed where templates are compiled.
struct LinkOptions: ParsableArguments {
  @Option(repeated: Settings.urlSchemes) var urlSchemes
}
