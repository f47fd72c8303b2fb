/// The compressors that one worker keeps for later answers. Confined to the worker's thread.
final class CompressorPool {
  /// The most unused compressors kept: slightly more than 1 MiB.
  static let kept = 4

  let settings: CompressionSettings
  let budget: MemoryBudget
  private var free: [Compressor] = []

  init(settings: CompressionSettings, budget: MemoryBudget) {
    self.settings = settings
    self.budget = budget
  }

  /// A compressor for the coding in its initial state, charged to the budget until it is given back; nil if there is no
  /// room.
  func take(_ coding: ContentCoding) -> Compressor? {
    guard budget.reserve(Compressor.stateBytes) else { return nil }
    if let position = free.lastIndex(where: { $0.coding == coding }) { return free.remove(at: position) }
    if let compressor = Compressor(coding, level: settings.level) { return compressor }
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
