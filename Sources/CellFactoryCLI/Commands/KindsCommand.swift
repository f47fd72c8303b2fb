import ArgumentParser
import CellServer
import CellTemplates
import Cells

struct KindsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "kinds", abstract: "List the kinds of cells.")

  @OptionGroup(title: "Cells") var source: SourceArguments

  @Flag(help: "Describe each kind, like GET /kinds.")
  var json = false

  func run() throws {
    let archive = try source.load(SettingSources(options: self))
    if json {
      var output = ByteBuffer()
      KindDescription.appendAll(of: archive, to: &output)
      output.append(byte: UInt8(ascii: "\n"))
      Console.output(output.bytes)
    } else {
      for name in archive.kindNames { Console.output(name) }
    }
  }
}
