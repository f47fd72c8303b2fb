import ArgumentParser

/// What links in rendered cells may lead to. An archive holds it: it is asked for where templates are
/// compiled.
struct LinkOptions: ParsableArguments {
  @Option(repeated: Settings.urlSchemes) var urlSchemes
}
