import Foundation
import Hummingbird
import Mustache
import NIOPosix

/// What a Swift program would be without CellFactory: Hummingbird, JSONDecoder, swift-mustache.
///
/// `POST /cells/KIND` with an array of rows answers the cells one after another, for the kinds of the benchmarks. It
/// takes any free port and prints one line, `listening on http://127.0.0.1:PORT`.
@main
struct HummingbirdPeer {
  static func main() async throws {
    let router = Router()
    try add(Notification.self, to: router)
    try add(News.self, to: router, partials: ["byline": News.byline])
    try add(Product.self, to: router, partials: ["price": Product.price])
    try add(TableRow.self, to: router)
    try add(CommentRow.self, to: router)
    let application = Application(
      router: router,
      configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in
        let line = "listening on http://127.0.0.1:\(channel.localAddress?.port ?? 0)\n"
        FileHandle.standardOutput.write(Data(line.utf8))
      },
      eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: 1)))
    try await application.runService()
  }

  /// The route of a kind. Its template is parsed here, once.
  private static func add<R: Row>(
    _: R.Type, to router: Router<BasicRequestContext>, partials: [String: String] = [:]
  ) throws {
    let template = try MustacheTemplate(string: R.template)
    var templates = try partials.mapValues { try MustacheTemplate(string: $0) }
    templates[R.kind] = template
    let library = MustacheLibrary(templates: templates)
    router.post("cells/\(R.kind)") { request, context -> Response in
      let rows = try await request.decode(as: [R].self, context: context)
      var html = ByteBuffer()
      for row in rows {
        html.writeString(template.render(row, library: library))
      }
      return Response(
        status: .ok,
        headers: [.contentType: "text/html; charset=utf-8", .contentLength: String(html.readableBytes)],
        body: ResponseBody(byteBuffer: html))
    }
  }
}
