extension EndpointContext {
  /// Answers with one of the archive's documents, or with the work that waits for it.
  func document(
    _ name: ArchiveDocuments.Name, as type: StaticString = RowFormat.json.contentType,
    cacheControl: String? = nil, for head: borrowing RequestHead
  ) -> Answer {
    let work = DocumentWork(
      name, of: archive, in: service.documents, as: type, cacheControl: cacheControl, budget: budget,
      for: head)
    return work.answer() ?? .unmade(work)
  }
}
