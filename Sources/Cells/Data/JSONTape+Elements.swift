extension JSONTape {
  /// The elements of an array, in order. Takes linear time.
  package func elements(of array: Index) -> [Index] {
    let total = count(array)
    return [Index](unsafeUninitializedCapacity: total) { elements, initialized in
      var element = array + 1
      for index in 0..<total {
        elements.initializeElement(at: index, to: element)
        element = end(element)
      }
      initialized = total
    }
  }
}
