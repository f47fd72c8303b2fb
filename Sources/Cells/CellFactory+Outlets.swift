import CellTemplates

extension CellFactory {
  /// Creates a printer for the values of a row's outlets.
  package func outletPrinter(
    ofKind kind: UInt32, _ context: RowContext, on tape: JSONTape, limits: RenderLimits
  ) -> OutletPrinter {
    let outlets = edition.topLevelOutlets.outlets(of: kind, in: archive)
    return OutletPrinter(archive, kind: kind, outlets, context, on: tape, memo, limits)
  }
}
