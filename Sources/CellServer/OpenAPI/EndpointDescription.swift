/// What the contract says of an endpoint beside its path and methods.
struct EndpointDescription: Sendable {
  /// The end of each operation's id.
  var name: String
  var tag: Tag
  var summary: String
  /// Of GET, where that does something else than POST.
  var summaryOfGet: String?
  var description = ""
  /// Of the answer to GET, or to POST where there is no GET.
  var answer: JSONNode
  /// Whether answers to GET and HEAD have a tag.
  var isTagged = false
  /// What a request may be refused with beside the codes of every request.
  var codes: [Problem.Code] = []

  enum Tag: String, Sendable {
    case cells, kinds, operations
  }
}
