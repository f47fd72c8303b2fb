/// The compressors of one worker, kept for the next answer. Confined to the worker's thread.
final class CompressorPool {
  /// Those that are kept though nobody uses them: 1 MiB and a little.
  static let kept = 4

  let settings: CompressionSettings
  let budget: MemoryBudget
  // Unchecked: no method calls out while it has hold of it.
  @exclusivity(unchecked) private var free: [Compressor] = []

  init(settings: CompressionSettings, budget: MemoryBudget) {
    self.settings = settings
    self.budget = budget
  }

  /// A compressor at its beginning, counted in the budget until it is given back; nil where there is no room for one.
  func take() -> Compressor? {
    guard budget.reserve(Compressor.stateBytes) else { return nil }
    if let compressor = free.popLast() ?? Compressor(level: settings.level) { return compressor }
    budget.release(Compressor.stateBytes)
    return nil
  }

  func give(_ compressor: Compressor) {
    budget.release(Compressor.stateBytes)
    guard free.count < Self.kept else { return }
    compressor.reset()
    free.append(compressor)
  }
}
