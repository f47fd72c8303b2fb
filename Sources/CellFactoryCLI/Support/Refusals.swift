import ArgumentParser
import CellServer
import CellTemplates
import Cells

extension Console {
  /// Says why a command does not do its work; diagnostics as compilers print theirs.
  static func refuse(_ error: any Error) {
    self.error(error is TemplateErrors ? "\(error)" : "error: \(error)")
  }
}

/// Does a part of a command's work. Where its cells or its address are no good, says so, and ends the command with
/// status 1; other errors are the caller's.
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
