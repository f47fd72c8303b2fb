/// An order, as its row is sent.
struct Order: Codable, Sendable {
  var id: Int
  var customer: String
  var amount: String
  var status: String
}

/// The orders, the newest first.
actor OrderStore {
  private(set) var orders = [
    Order(id: 2, customer: "Brenner & Söhne", amount: "79.80", status: "paid"),
    Order(id: 1, customer: "O'Neill's <Corner>", amount: "12.50", status: "open"),
  ]

  /// Marks an order as paid. Says whether there is such an order.
  func pay(_ id: Int) -> Bool {
    guard let place = orders.firstIndex(where: { $0.id == id }) else { return false }
    orders[place].status = "paid"
    return true
  }

  func add() {
    let order = Order(id: orders.count + 1, customer: "Ada Lovelace", amount: "19.90", status: "open")
    orders.insert(order, at: 0)
  }
}
