/// What was learnt from samples.
extension ArchiveVerifier {
  func verifySampleTypes() throws(ArchiveError) {
    let entries = tables.sampleTypes
    try check(entries.count <= SampleTypes.archiveLimit, "there are too many types of samples")
    try spend(entries.count)
    var first = 0
    for (position, entry) in entries.enumerated() {
      let isFirst = position == 0 || entries[position - 1].kind != entry.kind
      if isFirst { first = position }
      try check(entry.kind < tables.kinds.count, "a sample has an unknown kind")
      try check(position == 0 || entries[position - 1].kind <= entry.kind, "the samples are not sorted")
      try check(entry.name.count <= SampleTypes.nameLimitBytes, "a sample's name is too long")
      try checkText(entry.name, "a sample's name")
      try check(
        SampleTypeEntry.Types.all.isSuperset(of: entry.knownTypes), "a sample has unknown types")
      try check(isFirst == (entry.parent == noIndex), "a sample's value is nowhere")
      let isItem = entry.knownTypes.contains(.item)
      if isFirst {
        try check(entry.name.count == 0 && !isItem, "a sample's row is not a row")
      } else {
        try check(entry.parent >= first && entry.parent < position, "a sample's value is nowhere")
        let holder: SampleTypeEntry.Types = isItem ? .list : .object
        try check(
          entries[Int(entry.parent)].knownTypes.contains(holder), "a sample's value is in a scalar")
      }
    }
  }
}
