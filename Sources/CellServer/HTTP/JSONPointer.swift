/// JSON pointers (RFC 6901), built from the root outwards.
package enum JSONPointer {
  /// Appends a reference token to `pointer`, escaping `~` and `/`.
  package static func appending(_ name: String, to pointer: String) -> String {
    var result = pointer
    result.reserveCapacity(pointer.utf8.count + name.utf8.count + 1)
    result.append("/")
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": result.append("~0")
      case "/": result.append("~1")
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  package static func appending(_ place: Int, to pointer: String) -> String {
    "\(pointer)/\(place)"
  }
}
