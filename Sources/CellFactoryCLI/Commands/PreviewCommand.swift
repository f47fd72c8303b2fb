import ArgumentParser

struct PreviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Show the cells of a folder in a browser, and follow its changes.",
    discussion: """
      The same as serve --preview on --watch on on this computer alone. Prints the address of the page. It shows every cell, \
      filled with its sample rows, and redraws it when a file is saved; errors appear over the page. All options of serve are \
      environment variables, too: CELLFACTORY_PORT for --port.
      """)

  @Argument(help: "The folder of templates.")
  var dir: String?

  @OptionGroup(title: "Address") var port: PortArguments

  @OptionGroup(title: "Locales") var locales: LocaleArguments

  func run() throws {
    var arguments = ["--host", "127.0.0.1", "--preview", "on", "--watch", "on"]
    if let dir { arguments += ["--templates", dir] }
    for option in port.givenOptions + locales.givenOptions { arguments += ["--" + option.name, option.text] }
    try ServeCommand.parse(arguments).run()
  }
}

/// The port to listen on.
struct PortArguments: ParsableArguments {
  @Option(Settings.port) var port
}
