import CellServer
import CellTemplates
import Cells
import Glibc
import Logging

/// Every setting, a row each.
///
/// A new one is a row here, its name in `serve` below, an `@Option(Settings.…)` in a group of `Options` (of a list,
/// `@Option(repeated: Settings.…)`), and the place that reads it, `sources[Settings.…]`. The README's table and the help
/// are tested against this one.
enum Settings {
  private static let server = ServerSettings()
  private static let service = CellService.Settings()

  // MARK: Cells

  static let templates = Setting<String>.text(
    "templates", "The folder of templates.", valueName: "dir", default: "./templates", allowed: "a folder")
  static let archive = Setting<String>.text(
    "archive", "An archive that 'cellfactory archive' wrote, instead of templates.", valueName: "file",
    allowed: "a file")
  static let urlSchemes = Setting<URLSchemes>(
    "url-schemes",
    "URL schemes that links may carry beside http, https, mailto and tel: an app's deep links.",
    valueName: "schemes", default: URLSchemes.standard.names.joined(separator: ","),
    defaultWords: "none more",
    allowed: "a list of URL schemes", describe: { $0.names.joined(separator: ",") }
  ) { text throws(SettingRefusal) in
    do throws(URLSchemeError) {
      return try URLSchemes(list: text)
    } catch {
      throw SettingRefusal(reason: error.description)
    }
  }

  static let watch = Setting<Bool>.onOff(
    "watch", "Load the cells again when their files change, and not only on SIGHUP.", default: false)

  static let loadSeconds = Setting<Double>.seconds(
    "load-seconds", "Seconds that loading the cells may take, at the start and when they are loaded again.",
    default: 30, atLeast: 0.1)

  // MARK: Address

  static let host = Setting<String>.text(
    "host", "The address that the server listens on; 0.0.0.0 for all.", default: "127.0.0.1",
    allowed: "an address or a name")
  static let port = Setting<Int>.whole(
    "port", "Its port; to listen on 0 picks a free one.", default: 8080, in: 0...65535)

  // MARK: Rendering

  static let missing = Setting<MissingPolicy>.choice(
    "missing", "What happens to names that find nothing.", default: service.render.missing)
  static let reuse = Setting<Bool>.onOff("reuse", "Whether cells are kept for reuse.", default: true)
  static let bodyLimitBytes = Setting<Int>.whole(
    "body-limit-bytes", "The largest body, in bytes.", default: server.bodyLimitBytes, in: 1...(1 << 30))
  static let outputLimitBytes = Setting<Int>.whole(
    "output-limit-bytes", "The largest answer, in bytes.", default: service.render.outputBytes,
    in: 1...(1 << 31))
  static let jsonDepth = Setting<Int>.whole(
    "json-depth", "Arrays and objects open at once in a body.", default: service.jsonDepth,
    in: 1...JSONParser.largestDepthLimit)
  static let fields = Setting<Int>.whole(
    "fields", "Fields of a form or a query.", default: service.fields, in: 1...1_000_000)
  static let partialDepth = Setting<Int>.whole(
    "partial-depth", "How deep partials may call one another.", default: service.render.partialDepth,
    in: 0...10_000)

  // MARK: Server

  static let workers = Setting<Int>.whole(
    "workers", "Worker threads.", default: processors, defaultWords: "one for each processor", in: 1...1024)
  static let connections = Setting<Int>.whole(
    "connections", "Open connections in all.", default: server.connections, in: 1...1_000_000)
  static let headLimitBytes = Setting<Int>.whole(
    "head-limit-bytes", "The largest request head, in bytes.", default: server.headLimitBytes,
    in: 1024...(1 << 20))
  static let inFlightLimitBytes = Setting<Int>.whole(
    "in-flight-limit-bytes", "Bodies, parsed rows and unsent answers of one worker, in bytes; past it: 503.",
    default: server.inFlightLimitBytes, in: (1 << 20)...(1 << 40))
  static let inFlightRequests = Setting<Int>.whole(
    "in-flight-requests", "Large answers that one worker makes at once; past it: 503.",
    default: server.inFlightRequests, in: 1...1_000_000)
  static let queueSeconds = Setting<Double>.seconds(
    "queue-seconds", "Seconds a request waits for its turn; past it: 503; 0: any time.",
    default: server.queueSeconds, atLeast: 0)
  static let headSeconds = Setting<Double>.seconds(
    "head-seconds", "Seconds for a request's head to arrive.", default: server.headSeconds, atLeast: 0.1)
  static let bodySeconds = Setting<Double>.seconds(
    "body-seconds", "Seconds for a request's body to arrive.", default: server.bodySeconds, atLeast: 0.1)
  static let writeSeconds = Setting<Double>.seconds(
    "write-seconds", "Seconds for a client to take 16 KiB of its answer for each of them.",
    default: server.writeSeconds, atLeast: 0.1)
  static let idleSeconds = Setting<Double>.seconds(
    "idle-seconds", "Seconds a connection may be idle.", default: server.idleSeconds, atLeast: 0.1)
  static let drainSeconds = Setting<Double>.seconds(
    "drain-seconds", "Seconds that a stop takes at most; requests in flight are cut then.",
    default: server.drainSeconds, atLeast: 0)
  static let drainDelaySeconds = Setting<Double>.seconds(
    "drain-delay-seconds",
    """
    How many of them a server that SIGTERM stops goes on as before, but for /readyz, so that a load balancer can notice: \
    its health check's interval times its failures, and one more second.
    """, default: server.drainDelaySeconds, atLeast: 0)

  static let metricsKinds = Setting<Int>.whole(
    "metrics-kinds", "Kinds that metrics tell apart, each a label; the rest are counted together.",
    default: Metrics.defaultKindLimit, in: 0...Metrics.highestKindLimit)

  // MARK: Browsers

  static let corsOrigin = Setting<AllowedOrigins>(
    "cors-origin", "Origins whose pages may ask, as https://example.org; repeated or listed.",
    valueName: "origin", defaultWords: "none", allowed: "a list of origins",
    describe: { $0.list.joined(separator: ",") }
  ) { text throws(SettingRefusal) in
    var origins = AllowedOrigins()
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      do throws(OriginError) {
        try origins.add(String(item.drop { $0 == " " }))
      } catch {
        throw SettingRefusal(reason: "'\(item)' is no origin: \(error.description)")
      }
    }
    return origins
  }
  static let compression = Setting<Bool>.onOff(
    "compression", "Whether answers are compressed where clients ask for it.", default: false)
  static let compressionMinBytes = Setting<Int>.whole(
    "compression-min-bytes", "The smallest answer that is compressed, in bytes.",
    default: CompressionSettings().minimumBytes, in: 1...(1 << 30))
  static let compressionLevel = Setting<Int>.whole(
    "compression-level", "How hard compression tries.", default: CompressionSettings().level, in: 1...9)

  // MARK: Logs

  static let logLevel = Setting<Logger.Level>.choice(
    "log-level", "The least level that is logged.", default: .info)
  static let logFormat = Setting<LogFormat>.choice(
    "log-format", "The form of the log's lines.", default: .text)
  static let accessLog = Setting<Bool>.onOff(
    "access-log", "Whether each request is logged, at level info.", default: false)

  // MARK: All of them

  /// Those of `serve`, in the order of `--print-config`.
  static let serve: [any AnySetting] = [
    templates, archive, urlSchemes, watch, loadSeconds, host, port,
    missing, reuse, bodyLimitBytes, outputLimitBytes, jsonDepth, fields, partialDepth,
    workers, connections, headLimitBytes, inFlightLimitBytes, inFlightRequests, queueSeconds,
    headSeconds, bodySeconds, writeSeconds, idleSeconds,
    drainSeconds, drainDelaySeconds, metricsKinds,
    corsOrigin, compression, compressionMinBytes, compressionLevel,
    logLevel, logFormat, accessLog,
  ]

  /// Of `health` alone.
  static let url = Setting<HealthCheck.Target>(
    "url", "The server's base URL (default: from host and port).", allowed: "http://HOST[:PORT][/PATH]"
  ) { text throws(SettingRefusal) in
    guard let target = HealthCheck.Target(url: text) else { throw SettingRefusal() }
    return target
  }

  /// Names that are no typing errors.
  static let all: [any AnySetting] = serve + [url]

  /// The processors this process may run on: glibc asks for its affinity.
  private static var processors: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }
}
