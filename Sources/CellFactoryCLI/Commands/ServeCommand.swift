import ArgumentParser
import CellServer
import CellTemplates
import Cells
import Dispatch
import Glibc
import Logging

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve rendered cells over HTTP.",
    discussion: """
      Prints 'listening on http://HOST:PORT' on standard output once it does; logs go to standard error. SIGTERM and \
      SIGINT end it when the requests in flight are answered; a second one ends it at once.

      Every option is also an environment variable: CELLFACTORY_PORT for --port. The option wins, and a variable that is \
      empty counts as not set. With --print-config each setting is printed, with its value and where that came from, and \
      nothing is served.
      """)

  @OptionGroup(title: "Cells") var source: SourceOptions
  @OptionGroup(title: "Address") var address: AddressOptions
  @OptionGroup(title: "Rendering") var render: RenderOptions
  @OptionGroup(title: "Server") var server: ServerOptions
  @OptionGroup(title: "Logs") var logs: LogOptions

  @Option(
    defaultAsFlag: ConfigListing.Form.text,
    help: ArgumentHelp("Print each setting and where its value came from, and end.", valueName: "text|json"))
  var printConfig: ConfigListing.Form?

  func run() throws {
    let sources = SettingSources(options: self)
    try sources.check(Settings.serve)
    _ = try source.source(sources)
    if let printConfig {
      for finding in UnknownVariables.find() { Console.error("warning: \(finding.description)") }
      Console.output(ConfigListing(Settings.serve, from: sources).text(printConfig))
      return
    }
    var signals = TerminationSignals()
    signal(SIGPIPE, SIG_IGN)
    var settings = try server.settings(sources)
    let serviceSettings = try render.serviceSettings(sources)
    let reuse = try render.reusePolicy(sources)
    let log = try logs.makeLog(sources)
    let logger = log.logger
    defer { log.flush() }
    UnknownVariables.warn(logger)
    let archive = try source.load(sources)

    settings.onComplaint = { number, text in
      log.complaints.report("libmicrohttpd complains", number: number) { ["complaint": "\(text())"] }
    }
    settings.onOverload = { log.complaints.report("overloaded: a request was refused with 503") }
    if let access = log.access { settings.onRequest = { access.log($0) } }
    let readiness = Readiness()
    let service = CellService(
      settings: serviceSettings, readiness: readiness, metrics: settings.metrics
    ) { asked in
      log.complaints.report("unknown kind") { ["asked": "\(asked)"] }
    }
    let server = Server(settings: settings, readiness: readiness, handler: service) { executor in
      CellFactory(archive: archive, reuse: reuse, executor: executor)
    }
    let bound: BoundAddress
    do throws(TransportError) {
      bound = try server.start()
    } catch {
      Console.error("error: \(error.description)")
      throw ExitCode(1)
    }
    Console.announce("listening on \(bound.url)")
    logger.info(
      "serving",
      metadata: [
        "kinds": .stringConvertible(archive.kindCount), "archive": "\(archive.hash)",
        "workers": .stringConvertible(settings.workers), "url": "\(bound.url)",
      ])

    if let limit = Server.descriptorLimit, limit < settings.descriptors {
      logger.warning(
        "too few files may be open for so many connections",
        metadata: [
          "connections": .stringConvertible(settings.connections), "files": .stringConvertible(limit),
          "needed": .stringConvertible(settings.descriptors),
        ])
    }

    let received = signals.wait()
    server.stop()
    logger.info("stopping", metadata: ["signal": received == SIGTERM ? "SIGTERM" : "SIGINT"])
    DispatchQueue.global().async {
      server.wait()
      log.flush()
      Glibc.exit(0)
    }
    _ = signals.wait()
    logger.warning("stopped before the requests in flight were answered")
    log.flush()
    // At once: the workers still run, and what `exit` would take down is in use.
    _exit(1)
  }
}
