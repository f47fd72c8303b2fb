/// The values of the label `status`. Every status that the service sends has an index in tables.
enum StatusLabel {
  /// The statuses by index. Any other status has the last index and is reported as 0.
  static let statuses = [200, 204, 304, 400, 404, 405, 406, 411, 413, 415, 422, 431, 500, 503, 0]
  static let count = 15

  /// The index of a status.
  static func position(of status: Int) -> Int {
    switch status {
    case 200: 0
    case 204: 1
    case 304: 2
    case 400: 3
    case 404: 4
    case 405: 5
    case 406: 6
    case 411: 7
    case 413: 8
    case 415: 9
    case 422: 10
    case 431: 11
    case 500: 12
    case 503: 13
    default: 14
    }
  }
}
