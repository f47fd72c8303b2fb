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

      Every option is also an environment variable: CELLFACTORY_PORT for --port. The option wins.
      """)

  @OptionGroup(title: "Cells") var source: SourceOptions
  @OptionGroup(title: "Address") var address: AddressOptions
  @OptionGroup(title: "Rendering") var render: RenderOptions
  @OptionGroup(title: "Server") var server: ServerOptions
  @OptionGroup(title: "Browsers") var browsers: BrowserOptions
  @OptionGroup(title: "Logs") var logs: LogOptions

  func run() throws {
    var signals = TerminationSignals()
    signal(SIGPIPE, SIG_IGN)
    var settings = try server.settings(address: address, render: render)
    try browsers.apply(to: &settings)
    let serviceSettings = try render.serviceSettings()
    let reuse = try render.reusePolicy()
    let logger = try logs.makeLogger()
    let archive = try source.load()

    let complaints = RateLimiter(every: .seconds(1))
    settings.onComplaint = { message in
      guard let suppressed = complaints.pass() else { return }
      logger.warning("libmicrohttpd: \(message)", metadata: Self.metadata(suppressed))
    }
    if logger.logLevel <= .debug {
      settings.onRequest = { record in logger.debug("request", metadata: Self.metadata(record)) }
    }
    let unknown = RateLimiter(every: .seconds(1))
    let readiness = Readiness()
    let service = CellService(settings: serviceSettings, readiness: readiness) { asked in
      guard let suppressed = unknown.pass() else { return }
      logger.warning("unknown kind: \(Self.excerpt(asked))", metadata: Self.metadata(suppressed))
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
        "kinds": "\(archive.kindCount)", "archive": "\(archive.hash)", "workers": "\(settings.workers)",
      ])

    if let limit = Server.descriptorLimit, limit < settings.descriptors {
      logger.warning(
        "too few files may be open for so many connections",
        metadata: [
          "connections": "\(settings.connections)", "files": "\(limit)", "needed": "\(settings.descriptors)",
        ])
    }

    let received = signals.wait()
    server.stop()
    logger.info("stopping", metadata: ["signal": received == SIGTERM ? "SIGTERM" : "SIGINT"])
    DispatchQueue.global().async {
      server.wait()
      Glibc.exit(0)
    }
    _ = signals.wait()
    logger.warning("stopped before the requests in flight were answered")
    // At once: the workers still run, and what `exit` would take down is in use.
    _exit(1)
  }

  private static func metadata(_ suppressed: Int) -> Logger.Metadata {
    suppressed == 0 ? [:] : ["suppressed": "\(suppressed)"]
  }

  private static func metadata(_ record: RequestRecord) -> Logger.Metadata {
    [
      "method": "\(excerpt(record.method))", "path": "\(excerpt(record.path))", "status": "\(record.status)",
      "bytes": "\(record.bytes)", "us": "\(record.microseconds)", "request_id": "\(record.requestID)",
    ]
  }

  /// A client's text in a log: no longer than it helps, and on one line.
  private static func excerpt(_ text: String) -> String {
    String(text.prefix(200).map { $0.isASCII && $0 >= " " && $0 != "\u{7F}" ? $0 : "?" })
  }
}
