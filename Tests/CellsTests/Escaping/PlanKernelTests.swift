import CEscape
import CNodes
import CRowPlan
import Scaling
import Testing

/// Every variant of the plans' loops that this processor supports has the same output, and stays within its
/// limits.
@Suite struct PlanKernelTests {
  // Plans here have no guards, so nothing of these is read.
  nonisolated(unsafe) private static let guards = UnsafePointer(
    UnsafeMutablePointer<cf_guard>.allocate(capacity: 1))
  nonisolated(unsafe) private static let conditions = cf_conditions(
    rows: UnsafeMutablePointer<cf_condition>.allocate(capacity: 1),
    literals: UnsafeMutablePointer<cf_literal>.allocate(capacity: 1),
    texts: UnsafeMutablePointer<UInt8>.allocate(capacity: 1), cardinal: nil, ordinal: nil)

  private static let variants: [(name: String, kernels: cf_plan_kernels)] = [
    ("plain", CF_VARIANT_PLAIN), ("16 bytes", CF_VARIANT_16), ("32 bytes", CF_VARIANT_32),
  ].compactMap { name, variant in cf_plan_kernels_of(variant).map { (name, $0.pointee) } }

  @Test func thereAreVariants() { #expect(Self.variants.count >= 2) }

  private static let padding = 64
  private static let canary: UInt8 = 0xC7

  /// A piece and its output.
  private struct Part {
    var code: cf_piece_code
    var literal: [UInt8]
    var text: [UInt8]
    var rendered: [UInt8]
  }

  private static let codes: [(cf_piece_code, EscapeModel?)] = [
    (CF_PIECE_PLAIN, nil), (CF_PIECE_HTML, .html), (CF_PIECE_ATTRIBUTE, .attribute), (CF_PIECE_TEXT, .text),
    (CF_PIECE_URL, .urlPart), (CF_PIECE_URL_PART, .urlPart), (CF_PIECE_URL_COMPONENT, .urlComponent),
  ]

  private static func bytes(_ count: Int, of choices: [UInt8], using numbers: inout SeededNumbers) -> [UInt8]
  {
    (0..<count).map { _ in choices.randomElement(using: &numbers)! }
  }

  private static func part(using numbers: inout SeededNumbers) -> Part {
    let (code, model) = codes.randomElement(using: &numbers)!
    let length = [0, 1, 7, 15, 16, 17, 31, 32, 33, 64, 100].randomElement(using: &numbers)!
    var text = bytes(length, of: Array("abcdefgh 0123<&>\"'%/?\0\r".utf8) + [0xD0, 0xB6], using: &numbers)
    if Bool.random(using: &numbers) { text = bytes(length, of: Array("plain0".utf8), using: &numbers) }
    if code == CF_PIECE_URL { text = Array("https://a/".utf8) + text + [UInt8(ascii: "x")] }
    let literal = bytes(
      [0, 1, 12, 32, 33, 70].randomElement(using: &numbers)!, of: Array("<p class=>".utf8), using: &numbers)
    return Part(code: code, literal: literal, text: text, rendered: literal + (model?.escape(text) ?? text))
  }

  /// Pieces, literals, nodes and text in memory, each with the bytes that may be read after it.
  private struct Memory {
    var pieces: [cf_piece] = []
    var literals: [UInt8] = []
    var nodes: [cf_node] = []
    var text: [UInt8] = []

    init(_ parts: [Part], hostile: UInt8) {
      for (position, part) in parts.enumerated() {
        pieces.append(
          cf_piece(
            literal: UInt32(literals.count), literal_count: UInt32(part.literal.count),
            value: UInt32(position),
            code: UInt8(part.code.rawValue), escaper: 0, format: 0))
        nodes.append(
          cf_node(head: 0, offset: UInt32(text.count), length: UInt32(part.text.count), link: 0))
        literals += part.literal
        // The bytes after a text would need escaping.
        text += part.text + [hostile]
      }
      literals += Array(repeating: hostile, count: padding)
      text += Array(repeating: hostile, count: padding)
    }

    /// The number of the next piece, and the output.
    func render(by kernels: cf_plan_kernels, room: Int) -> (next: Int, output: [UInt8], isInside: Bool) {
      var target = [UInt8](repeating: canary, count: room + 2 * padding)
      return target.withUnsafeMutableBufferPointer { target in
        pieces.withUnsafeBufferPointer { pieces in
          let start = target.baseAddress!
          let progress = kernels.render(
            pieces.baseAddress!, literals, nodes, text, nil, start, start + room)
          let count = progress.target - start
          return (
            progress.piece - pieces.baseAddress!, Array(target[..<count]),
            count <= room && target[(room + 32)...].allSatisfy { $0 == canary }
          )
        }
      }
    }
  }

  private static func end(_ literal: String) -> Part {
    Part(code: CF_PIECE_END, literal: Array(literal.utf8), text: [], rendered: Array(literal.utf8))
  }

  @Test func everyPieceIsRenderedLikeTheModel() {
    var numbers = SeededNumbers(state: 21)
    for _ in 0..<1_500 {
      let parts =
        (0..<Int.random(in: 0...6, using: &numbers)).map { _ in Self.part(using: &numbers) } + [
          Self.end("</p>")
        ]
      let hostile = Array("<&x%\0".utf8).randomElement(using: &numbers)!
      let memory = Memory(parts, hostile: hostile)
      let all = parts.flatMap(\.rendered)
      for (name, kernels) in Self.variants {
        let whole = memory.render(by: kernels, room: all.count + 8)
        #expect(whole == (parts.count, all, true), "\(name): \(parts)")
        // With less room, it stops after a piece and everything before it.
        let room = Int.random(in: 0...all.count, using: &numbers)
        let part = memory.render(by: kernels, room: room)
        let expected = parts.prefix(part.next).flatMap(\.rendered)
        #expect(part.output == expected && part.isInside, "\(name), room \(room): \(parts)")
      }
    }
  }

  @Test func aByteToReplaceIsFoundAtAnyPosition() {
    for (code, model) in Self.codes where model != nil {
      let start = Array((code == CF_PIECE_URL ? "https://a/" : "").utf8)
      for byte in Array("&\"<".utf8) {
        for count in start.count + 1...67 {
          let clean = start + Array(repeating: UInt8(ascii: "p"), count: count - start.count)
          // Alone, and with another one at the end.
          let positions = Array(start.count..<count)
          let texts = positions.flatMap { position in
            var text = clean
            text[position] = byte
            let once = text
            text[count - 1] = UInt8(ascii: "&")
            return [once, text]
          }
          let parts =
            texts.map { Part(code: code, literal: [], text: $0, rendered: model!.escape($0)) } + [
              Self.end("")
            ]
          let memory = Memory(parts, hostile: UInt8(ascii: "<"))
          let all = parts.flatMap(\.rendered)
          for (name, kernels) in Self.variants {
            #expect(
              memory.render(by: kernels, room: all.count + 8) == (parts.count, all, true),
              "\(name), \(code.rawValue), \(byte), \(count)")
          }
        }
      }
    }
  }

  @Test func otherPiecesAreLeftToSwift() {
    let text = Part(
      code: CF_PIECE_HTML, literal: Array("<p>".utf8), text: Array("a".utf8), rendered: Array("<p>a".utf8))
    for (code, value) in [(CF_PIECE_OTHER, "x"), (CF_PIECE_URL, "javascript:x"), (CF_PIECE_URL, "/x ")] {
      let other = Part(code: code, literal: Array("<i>".utf8), text: Array(value.utf8), rendered: [])
      let memory = Memory([text, other, Self.end("!")], hostile: 0)
      for (name, kernels) in Self.variants {
        #expect(memory.render(by: kernels, room: 100) == (1, Array("<p>a".utf8), true), "\(name): \(value)")
      }
    }
  }

  @Test func aShapeIsDefinedByItsMask() {
    var numbers = SeededNumbers(state: 22)
    func node(_ numbers: inout SeededNumbers) -> cf_node {
      let words = (0..<4).map { _ in UInt32.random(in: 0...2, using: &numbers) }
      return cf_node(head: words[0], offset: words[1], length: words[2], link: words[3])
    }
    for count in 1...40 {
      for _ in 0..<60 {
        let nodes = (0...count).map { _ in node(&numbers) }
        var masks = (0..<count).map { _ in
          cf_node(head: ~0, offset: 0, length: 0, link: Bool.random(using: &numbers) ? ~0 : 0)
        }
        var wanted = zip(nodes, masks).map { node, mask in
          cf_node(head: node.head, offset: 0, length: 0, link: node.link & mask.link)
        }
        // One word is changed, which may or may not be part of the shape.
        let position = Int.random(in: 0..<count, using: &numbers)
        var changed = nodes
        let isHead = Bool.random(using: &numbers)
        if isHead { changed[position].head ^= 4 } else { changed[position].link ^= 4 }
        changed[position].offset &+= 1
        changed[position].length &+= 1
        let isSame = !isHead && masks[position].link == 0
        let nothing = cf_node(head: 0, offset: 0, length: 0, link: 0)
        masks.append(nothing)
        wanted.append(nothing)
        masks.withUnsafeBufferPointer { masks in
          wanted.withUnsafeBufferPointer { wanted in
            let literals: [UInt8] = [0]
            let piece = cf_piece(literal: 0, literal_count: 0, value: 0, code: 0, escaper: 0, format: 0)
            // Only the shape is compared.
            var plan = withUnsafePointer(to: piece) { piece in
              literals.withUnsafeBufferPointer { literals in
                cf_plan(
                  pieces: piece, end: piece, literals: literals.baseAddress!, masks: masks.baseAddress!,
                  wanted: wanted.baseAddress!, node_count: Int64(count), guards: Self.guards, guard_count: 0,
                  conditions: Self.conditions, family: 0, outcomes: 0, terms: 0, iterations: 0, missing: 0,
                  drawn: 0, held_bytes: 0)
              }
            }
            for (name, kernels) in Self.variants {
              #expect(kernels.has_shape(nodes, literals, &plan), "\(name), \(count)")
              #expect(kernels.has_shape(changed, literals, &plan) == isSame, "\(name), \(count), \(position)")
            }
          }
        }
      }
    }
  }

  @Test func everyRowOfARunUsesThePlanOfItsShape() {
    let (model, like) = (CF_NODE_MODEL.rawValue, CF_NODE_LIKE_MODEL.rawValue)
    var numbers = SeededNumbers(state: 23)
    let text = Array("abcdefghij".utf8) + Array(repeating: Self.canary, count: Self.padding)
    let literals = Array("0123".utf8) + Array(repeating: Self.canary, count: Self.padding)
    // A row is a single node whose head is the shape: a plan prints the number of the shape and the letter of
    // the row.
    let pieces = (0..<4).flatMap { shape in
      [(CF_PIECE_PLAIN, UInt32(1)), (CF_PIECE_END, 0)].map { code, count in
        cf_piece(
          literal: UInt32(shape), literal_count: count, value: 0, code: UInt8(code.rawValue), escaper: 0,
          format: 0)
      }
    }
    let masks = (0..<2).map {
      cf_node(head: $0 == 0 ? ~(model | like) : 0, offset: 0, length: 0, link: 0)
    }
    let wanted = (0..<4).flatMap { shape in
      [UInt32(shape), 0].map { cf_node(head: $0, offset: 0, length: 0, link: 0) }
    }
    for _ in 0..<500 {
      // Rows before the first model may have a shape that is not among the models.
      var shape = UInt32.random(in: 0..<4, using: &numbers)
      var shapes: [UInt32] = []
      var nodes: [cf_node] = []
      for position in 0..<UInt32.random(in: 1...10, using: &numbers) {
        let marks = [0, model, like, like].randomElement(using: &numbers)!
        if marks == model { shape = UInt32.random(in: 0..<4, using: &numbers) }
        shapes.append(marks == 0 ? UInt32.random(in: 0..<4, using: &numbers) : shape)
        nodes.append(cf_node(head: shapes.last! | marks, offset: position, length: 1, link: position + 1))
      }
      nodes.append(cf_node(head: 0, offset: 0, length: 0, link: 0))
      let rendered = shapes.enumerated().flatMap { [literals[Int($1)], text[$0]] }
      for (name, kernels) in Self.variants {
        var expected = [UInt8](repeating: 0, count: Int(CF_EXPECTED_PLANS))
        var target = [UInt8](repeating: Self.canary, count: rendered.count + 2 * Self.padding)
        let count = pieces.withUnsafeBufferPointer { pieces in
          masks.withUnsafeBufferPointer { masks in
            wanted.withUnsafeBufferPointer { wanted in
              literals.withUnsafeBufferPointer { literals in
                let plans = (0..<4).map { shape in
                  cf_plan(
                    pieces: pieces.baseAddress! + 2 * shape, end: pieces.baseAddress! + 2 * shape + 2,
                    literals: literals.baseAddress!, masks: masks.baseAddress!,
                    wanted: wanted.baseAddress! + 2 * shape, node_count: 1, guards: Self.guards,
                    guard_count: 0,
                    conditions: Self.conditions, family: 0, outcomes: 0, terms: 0, iterations: 1,
                    missing: Int64(shape), drawn: Int64(shape / 2), held_bytes: 0)
                }
                return plans.withUnsafeBufferPointer { plans in
                  nodes.withUnsafeBufferPointer { nodes in
                    text.withUnsafeBufferPointer { text in
                      expected.withUnsafeMutableBufferPointer { expected in
                        target.withUnsafeMutableBufferPointer { target in
                          let start = target.baseAddress!
                          var run = cf_row_run(
                            plans: plans.baseAddress!, expected: expected.baseAddress!, plan_count: 4,
                            nodes: nodes.baseAddress!, text: text.baseAddress!, terms: 0,
                            iteration_limit: 100, target_end: start + rendered.count + 8,
                            pause: start + rendered.count + 8, formats: nil, row: 0,
                            rows_left: Int64(shapes.count),
                            iterations: 0, missing: 0, drawn: 0,
                            target: start, model_plan: nil, guarded_model: nil, plan: nil, piece: nil,
                            row_start: nil)
                          kernels.render_rows(&run)
                          #expect(run.rows_left == 0 && run.iterations == shapes.count, "\(name): \(shapes)")
                          #expect(run.missing == shapes.reduce(0, +), "\(name): \(shapes)")
                          #expect(run.drawn == shapes.reduce(0) { $0 + $1 / 2 }, "\(name): \(shapes)")
                          return run.target - start
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
        #expect(Array(target[..<count]) == rendered, "\(name): \(nodes.map(\.head))")
      }
    }
  }
}
