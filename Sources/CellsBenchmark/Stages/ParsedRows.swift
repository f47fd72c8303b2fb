import Cells

/// Parsed rows in the form that handwritten renderers read: the nodes of a `JSONTape` and the text they refer
/// to. Valid until the next parse.
struct ParsedRows {
  /// One value or key: a `cf_node`, which documents these words.
  struct Node: BitwiseCopyable {
    /// Its type, flags and depth.
    let head: UInt32
    /// Its offset in the text.
    let offset: UInt32
    /// The bytes of a string, or the elements of a list.
    let length: UInt32
    /// For a value, the node after it; for a name, its number.
    let link: UInt32
  }

  /// All nodes in text order.
  let nodes: UnsafePointer<Node>
  /// The text. 64 bytes after it are readable.
  let text: UnsafePointer<UInt8>
  /// The length of the text in bytes.
  let textCount: Int
  /// The array whose elements are the rows.
  let root: Int
  let tape: JSONTape

  init(_ tape: JSONTape, root: JSONTape.Index, textCount: Int) {
    // The same four words, only read.
    nodes = tape.rawNodes.assumingMemoryBound(to: Node.self)
    text = tape.text.assumingMemoryBound(to: UInt8.self)
    self.textCount = textCount
    self.root = Int(root)
    self.tape = tape
  }
}
