import CellTemplates
import Cells
import Foundation
import Hummingbird

/// Orders with Hummingbird. Cells are rendered in process: there is no second server.
@main
struct Orders {
  static func main() async throws {
    // The templates of examples/orders. One factory is enough here; a busy program makes one for each thread.
    let archive = try CellArchive.compiling(folder: "../orders/cells")
    let factory = CellFactory(archive: archive)
    let store = OrderStore()

    let router = Router()
    router.get("/") { _, _ -> Response in
      let rows = String(decoding: try JSONEncoder().encode(await store.orders), as: UTF8.self)
      let cells = try await factory.render("order-row", rows: rows)
      return html(page(cells.joined()))
    }
    router.post("orders") { _, _ -> Response in
      await store.add()
      return .redirect(to: "/")
    }
    let port = Int(ProcessInfo.processInfo.environment["PORT"] ?? "8000") ?? 8000
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in
        let line = "open http://127.0.0.1:\(channel.localAddress?.port ?? port)/\n"
        FileHandle.standardOutput.write(Data(line.utf8))
      })
    try await application.runService()
  }

  /// The page around the cells. Only cells go into it, which are safe as they are.
  static func page(_ cells: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <meta charset="utf-8">
    <title>Orders</title>
    <main>
    <h1>Orders</h1>
    <form method="post" action="/orders"><button>New order</button></form>
    <table>
    <thead><tr><th scope="col">No.</th><th scope="col">Customer</th><th scope="col">Amount</th><th scope="col">Status</th><th scope="col">To do</th></tr></thead>
    <tbody>
    \(cells)</tbody>
    </table>
    </main>
    </html>
    """
  }

  static func html(_ text: String) -> Response {
    Response(
      status: .ok,
      headers: [
        .contentType: "text/html; charset=utf-8",
        .contentSecurityPolicy: "default-src 'none'; form-action 'self'",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
