import Cells

/// Parsed rows as a renderer written by hand reads them: the nodes of a `JSONTape`, and the text they name. Valid until the next parse.
struct ParsedRows {
  /// One value or key: a `cf_json_node`, which tells what its words mean.
  struct Node: BitwiseCopyable {
    /// Its kind, its flags and its depth.
    let head: UInt32
    /// Where it stands in the text.
    let offset: UInt32
    /// A string's bytes, a list's elements.
    let length: UInt32
    /// Of a value the node behind it, of a name its number.
    let link: UInt32
  }

  /// All nodes, in the order of the text.
  let nodes: UnsafePointer<Node>
  /// 64 bytes behind it can be read.
  let text: UnsafePointer<UInt8>
  /// Its bytes.
  let textCount: Int
  /// An array: its elements are the rows.
  let root: Int
  let tape: JSONTape

  init(_ tape: JSONTape, root: JSONTape.Index, textCount: Int) {
    // The same four words, and only read.
    nodes = tape.rawNodes.assumingMemoryBound(to: Node.self)
    text = tape.text.assumingMemoryBound(to: UInt8.self)
    self.textCount = textCount
    self.root = Int(root)
    self.tape = tape
  }
}
