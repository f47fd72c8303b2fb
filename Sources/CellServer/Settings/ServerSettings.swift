/// The settings of a server. Limits apply to each request or connection unless stated otherwise.
package struct ServerSettings: Sendable {
  package var address: ServerAddress
  /// Number of threads, each with its own factory; at least 1.
  package var workers: Int

  /// Larger bodies are refused with 413.
  package var bodyLimitBytes = 16 << 20
  /// Limit of request line and header fields together; larger heads are refused with 431.
  package var headLimitBytes = 32 << 10
  /// The most open connections of the whole server; fewer if the process may not open that many files. At the
  /// limit, new connections wait in the listening queue, and the longest idle ones are closed.
  package var connections = 4096
  /// From accepting a connection, or from the request line of a later request, to the end of the head.
  package var headSeconds = 10.0
  /// From the end of the head to the end of the body.
  package var bodySeconds = 30.0
  /// Between an answer and the next request line.
  package var idleSeconds = 60.0
  /// How long stopping takes at most, counted from its announcement; then requests in flight are cut.
  package var drainSeconds = 10.0
  /// The part of that time between `leave` and `stop`.
  package var drainDelaySeconds = 0.0
  /// A client that has read less than `leastBytesPerSecond` of its answer for this long is disconnected.
  package var writeSeconds = 30.0
  /// How long requests may wait for their turn. If they wait longer repeatedly, they are answered with 503. 0
  /// means no limit.
  package var queueSeconds = 0.05
  /// The most answers that one worker makes in slices at once, one slice each in a turn of the loop. Further
  /// large requests are answered with 503.
  package var inFlightRequests = 64
  /// Limit of bodies, parser memory and unsent answers of one worker together; beyond it, requests are
  /// answered with 503.
  package var inFlightLimitBytes = 512 << 20

  /// The origins allowed by CORS; nil turns CORS off, and no CORS headers are sent.
  package var origins: AllowedOrigins?
  /// nil turns compression off.
  package var compression: CompressionSettings?

  /// Whether there are pages for people: endpoints that send events, or that ask where a request comes from.
  package var servesPages = false

  /// The metrics that count the server's work.
  package var metrics: Metrics

  /// Receives libmicrohttpd's error messages for a log: a number shared by all messages of one form, and a
  /// closure that makes the text. `nil` discards them.
  package var onComplaint: (@Sendable (_ form: Int, _ text: () -> String) -> Void)?
  /// Called on the worker's thread for each request refused with 503 because of overload.
  package var onOverload: (@Sendable () -> Void)?
  /// Called on the worker's thread when an answer is passed on for sending or a streamed answer has ended.
  /// `nil` costs nothing.
  package var onRequest: (@Sendable (RequestRecord) -> Void)?

  package init(address: ServerAddress, workers: Int, metrics: Metrics) {
    self.address = address
    self.workers = workers
    self.metrics = metrics
  }

  /// A client that reads more slowly holds the memory of its answer for too long.
  static let leastBytesPerSecond = 16 << 10

  /// The number of open files when all connections are in use.
  package var descriptors: Int { connections + workers * Self.descriptorsOfWorker + Self.spareDescriptors }

  /// The fewest files that must be left to open for one connection to be served: what workers wait on, the listening
  /// socket, the connection, and a file that is opened briefly.
  var leastDescriptors: Int { workers * Self.descriptorsOfWorker + 3 }

  /// The number of connections possible when the process may open `files` more files: at most the configured
  /// number, at least one.
  func connections(within files: Int) -> Int {
    max(min(connections, files - workers * Self.descriptorsOfWorker - Self.spareDescriptors), 1)
  }

  /// What a worker's loop and its daemon wait on.
  private static let descriptorsOfWorker = 3
  /// The listening socket, the standard streams, and files opened briefly by a reload, a scrape or a library.
  /// Some libraries end the process if they cannot open one.
  private static let spareDescriptors = 32

  /// The size of the memory pool that libmicrohttpd allocates for a connection.
  ///
  /// It holds the head, a record for each header field, and the head of the answer. A quarter more than the
  /// head limit, so that a head slightly over the limit still fits and is refused by this server. The whole
  /// pool is cleared for every request, so a larger one costs time.
  var connectionMemoryBytes: Int { max(headLimitBytes + headLimitBytes / 4, 32 << 10) }
}
