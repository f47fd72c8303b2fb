/// The cell `table-row` of `account.html`.
struct TableRow: Row {
  static let kind = "table-row"

  static let template = """
    <tr>
      <th scope="row">{{id}}</th>
      <td>{{date}}</td>
      <td>{{customer}}</td>
      <td>{{country}}</td>
      <td>{{item}}</td>
      <td class="number">{{quantity}}</td>
      <td class="number">{{amount}}</td>
      <td>{{status}}</td>
    </tr>
    """

  var id: Int
  var date: String
  var customer: String
  var country: String
  var item: String
  var quantity: Int
  var amount: Amount
  var status: String

  func child(named name: String) -> Any? {
    switch name {
    case "id": id
    case "date": date
    case "customer": customer
    case "country": country
    case "item": item
    case "quantity": quantity
    case "amount": amount
    case "status": status
    default: nil
    }
  }
}
