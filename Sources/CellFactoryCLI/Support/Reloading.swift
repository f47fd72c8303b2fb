import CellPreview
import CellServer
import CellTemplates
import Cells
import Logging

/// Reloads a server's cells on SIGHUP and, if enabled, when files change. Logs the results, and shows them in the preview.
struct Reloading {
  /// The most diagnostics of one attempt that are logged; then only their number.
  static let diagnosticsLimit = 100

  /// The most lost kinds that are named.
  private static let namesLimit = 20

  private let reloader: ArchiveReloader
  private let logger: Logger

  init(
    _ server: Server, serving archive: CellArchive, statistics: ReloadStatistics, logger: Logger,
    preview: Preview?, load: @escaping @Sendable () throws -> CellArchive
  ) throws(TransportError) {
    self.logger = logger
    reloader = try ArchiveReloader(
      server: server, serving: archive, statistics: statistics, isWaitedFor: preview != nil, load: load
    ) { outcome, seconds in
      Self.log(outcome, seconds: seconds, to: logger)
      switch outcome {
      case .adopted(let archive, _): logger.warn(ofPreview: preview?.update(archive))
      case .unchanged: logger.warn(ofPreview: preview?.update())
      case .refused(let error): preview?.fail(error)
      }
    }
  }

  func request() { reloader.request() }

  /// Reloads whenever files change from now on.
  func follow(_ watch: sending SourceWatch) throws(TransportError) {
    if watch.isRemote {
      logger.warning(
        "changes made by other hosts on a network file system are not noticed: send SIGHUP after them")
    }
    let (reloader, logger) = (reloader, logger)
    try SourceWatch.start(watch) { count in
      logger.warning(
        "not all folders can be watched, so some changes are not noticed; raise fs.inotify.max_user_watches, or send SIGHUP",
        metadata: ["unwatched": .stringConvertible(count)])
    } onChange: {
      reloader.request()
    }
  }

  private static func log(_ outcome: ArchiveReloader.Outcome, seconds: Double, to logger: Logger) {
    let milliseconds = Logger.MetadataValue.stringConvertible(Int((seconds * 1000).rounded()))
    switch outcome {
    case .adopted(let archive, let lostKinds):
      logger.info(
        "reloaded",
        metadata: [
          "kinds": .stringConvertible(archive.kindCount), "archive": "\(archive.hash)", "ms": milliseconds,
        ])
      warn(ofLost: lostKinds, logger)
      logger.warn(ifEmpty: archive)
    case .unchanged(let hash):
      logger.info("reloaded: nothing changed", metadata: ["archive": "\(hash)", "ms": milliseconds])
    case .refused(let error as TemplateErrors):
      logger.log(error.diagnostics.prefix(diagnosticsLimit))
      refuse(error.diagnostics.count, milliseconds, logger)
    case .refused(let error):
      logger.error("\(error)")
      refuse(1, milliseconds, logger)
    }
  }

  private static func warn(ofLost kinds: [String], _ logger: Logger) {
    if kinds.isEmpty { return }
    var names = kinds.prefix(namesLimit).joined(separator: ", ")
    if kinds.count > namesLimit { names += " and \(kinds.count - namesLimit) more" }
    logger.warning(
      "the reload has lost kinds: requests for them get 404 now",
      metadata: ["lost": .stringConvertible(kinds.count), "kinds": "\(names)"])
  }

  private static func refuse(_ count: Int, _ milliseconds: Logger.MetadataValue, _ logger: Logger) {
    logger.error(
      "not reloaded: the previous cells stay",
      metadata: ["errors": .stringConvertible(count), "ms": milliseconds])
  }
}

extension Logger {
  /// Warns that the preview cannot show a folder whose cells are served.
  func warn(ofPreview errors: TemplateErrors?) {
    guard let errors else { return }
    log(errors.diagnostics.prefix(Reloading.diagnosticsLimit))
    warning("the preview cannot show these cells: it reads their samples, too")
  }

  /// Warns of an archive without kinds.
  func warn(ifEmpty archive: CellArchive) {
    if archive.kindCount > 0 { return }
    warning("there are no cells: every request for one gets 404; check --templates or --archive")
  }
}
