/// Values of the label `status`: those that the service answers with, each with a place in tables.
enum StatusLabel {
  /// In the order of their places. What is none of them has the last place, and is shown as 0.
  static let statuses = [
    200, 204, 304, 400, 403, 404, 405, 406, 408, 411, 413, 415, 422, 429, 431, 500, 503, 0,
  ]
  static let count = 18

  /// The place of a status.
  static func place(of status: Int) -> Int {
    switch status {
    case 200: 0
    case 204: 1
    case 304: 2
    case 400: 3
    case 403: 4
    case 404: 5
    case 405: 6
    case 406: 7
    case 408: 8
    case 411: 9
    case 413: 10
    case 415: 11
    case 422: 12
    case 429: 13
    case 431: 14
    case 500: 15
    case 503: 16
    default: 17
    }
  }
}
