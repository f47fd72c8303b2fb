import ArgumentParser
import CellServer
import CellTemplates
import Cells

extension Console {
  /// Reports why a command cannot do its work; diagnostics in the format of compilers.
  static func refuse(_ error: any Error) {
    guard let errors = error as? TemplateErrors else { return self.error("error: \(error)") }
    // One by one: all together may be as large as the templates.
    for diagnostic in errors.diagnostics { self.error(diagnostic.description) }
  }
}

/// Runs part of a command. If its cells or its address are refused, reports the reason and ends the command
/// with status 1. Other errors are passed on.
func endingIfRefused<Result>(
  tell: (any Error) -> Void = Console.refuse, _ work: () throws -> Result
) throws -> Result {
  do {
    return try work()
  } catch let error where error is TemplateErrors || error is ArchiveFileError || error is TransportError {
    tell(error)
    throw ExitCode(1)
  }
}
