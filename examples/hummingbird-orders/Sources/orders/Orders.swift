import CellTemplates
import Cells
import Foundation
import Hummingbird

/// Orders with Hummingbird. Cells are rendered in process: there is no second server.
@main
struct Orders {
  static func main() async throws {
    // One factory is enough here; a busy program makes one for each thread.
    let archive = try CellArchive.compiling(folder: "cells")
    let styles = try String(contentsOfFile: "cells/orders.css", encoding: .utf8)
    let factory = CellFactory(archive: archive)
    let store = OrderStore()

    let router = Router()
    router.get("/") { _, _ -> Response in
      let rows = String(decoding: try JSONEncoder().encode(await store.orders), as: UTF8.self)
      let cells = try await factory.render("order-row", rows: rows)
      return answer(page(cells.joined()), type: "text/html; charset=utf-8")
    }
    router.get("orders.css") { _, _ in answer(styles, type: "text/css") }
    router.post("orders") { _, _ -> Response in
      await store.add()
      return .redirect(to: "/")
    }
    router.post("orders/:id/pay") { _, context -> Response in
      let id = try context.parameters.require("id", as: Int.self)
      guard await store.pay(id) else { throw HTTPError(.notFound) }
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
    <meta name="viewport" content="width=device-width">
    <title>Orders</title>
    <link rel="stylesheet" href="/orders.css">
    <main>
    <header>
      <h1>Orders</h1>
      <form method="post" action="/orders"><button>New order</button></form>
    </header>
    <table class="orders">
    <thead><tr><th scope="col">No.</th><th scope="col">Customer</th><th class="amount" scope="col">Amount</th><th scope="col">Status</th></tr></thead>
    <tbody>
    \(cells)</tbody>
    </table>
    </main>
    </html>
    """
  }

  /// An answer under a policy that lets no script run.
  static func answer(_ text: String, type: String) -> Response {
    let policy =
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
    return Response(
      status: .ok,
      headers: [.contentType: type, .contentSecurityPolicy: policy],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
