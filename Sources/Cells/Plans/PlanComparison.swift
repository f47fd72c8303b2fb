#if DEBUG
  /// The output without plans of rows that plans have rendered. Kept, so that comparing them allocates nothing.
  final class PlanComparison {
    var output = ByteBuffer()
  }
#endif
