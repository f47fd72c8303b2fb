import CellTemplates

extension CellFactory {
  /// Creates a printer for the values of a row's outlets.
  package func outletPrinter(
    ofKind kind: UInt32, _ context: RowContext, on tape: JSONTape, limits: RenderLimits
  ) -> OutletPrinter {
    OutletPrinter(archive, kind: kind, context, on: tape, memo, limits)
  }
}
