/// Names used by requests; `AtNames` has those that begin with `@`. The name table of every archive starts with them; their ids are their indexes in `all`.
package enum RequestName {
  package static let all = [
    "kind", "nib", "class", "id", "data", "etag", "owner", "rows", "locale", "timeZone", "now",
  ]

  @inlinable package static var kind: UInt32 { 0 }
  @inlinable package static var nib: UInt32 { 1 }
  @inlinable package static var `class`: UInt32 { 2 }
  @inlinable package static var id: UInt32 { 3 }
  @inlinable package static var data: UInt32 { 4 }
  @inlinable package static var etag: UInt32 { 5 }
  @inlinable package static var owner: UInt32 { 6 }
  @inlinable package static var rows: UInt32 { 7 }
  @inlinable package static var locale: UInt32 { 8 }
  @inlinable package static var timeZone: UInt32 { 9 }
  @inlinable package static var now: UInt32 { 10 }
}
