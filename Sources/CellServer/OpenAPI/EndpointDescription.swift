/// The API description of an endpoint, apart from its path and methods.
struct EndpointDescription: Sendable {
  /// The last part of each operation id.
  var name: String
  var tag: Tag
  var summary: String
  /// The summary of GET, if GET differs from POST.
  var summaryOfGet: String?
  var description = ""
  /// The answer to GET, or to POST if there is no GET.
  var answer: JSONNode
  /// The names of parameters of GET and HEAD, but for those of all endpoints like it.
  var parameters: [String] = []
  /// Whether answers to GET and HEAD have an entity tag.
  var isTagged = false
  /// Problem codes in addition to those that every request may get.
  var codes: [Problem.Code] = []

  enum Tag: String, Sendable {
    case cells, kinds, web, operations
  }
}
