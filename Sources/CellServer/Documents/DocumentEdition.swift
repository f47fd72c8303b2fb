import CellTemplates
import Cells
import Synchronization

/// What is known of the documents of one archive. May be used from any thread.
final class DocumentEdition: Sendable {
  typealias Name = ArchiveDocuments.Name
  typealias Finding = ArchiveDocuments.Finding

  /// What is known of one document.
  enum Knowledge {
    case known(Finding)
    case beingMeasured
    /// Whoever asked measures it now.
    case unknown
  }

  struct Weak {
    weak var edition: DocumentEdition?
  }

  /// An edition on its way to the thread that frees it.
  final class Leaving: Sendable {
    private let edition: Mutex<DocumentEdition?>

    /// Takes the caller's reference: the other thread must not find one that is about to go.
    init(_ edition: inout DocumentEdition?) { self.edition = Mutex(edition.take()) }

    func take() -> DocumentEdition? { edition.withLock { $0.take() } }
  }

  private struct State {
    /// A value is nil while the document is being measured.
    var findings: [Name: Finding?] = [:]
    /// The names among them that clients decide, the oldest first.
    var namesOfClients: [Name] = []
    /// How many of these are being measured.
    var measuredOfClients = 0

    /// Notes that a document is being measured, and forgets an old one that a client has named.
    mutating func begin(_ name: Name) {
      findings[name] = .some(nil)
      guard name.isOfClient else { return }
      namesOfClients.append(name)
      measuredOfClients += 1
      guard namesOfClients.count > DocumentEdition.keptOfClients else { return }
      let oldest = namesOfClients.removeFirst()
      switch findings.removeValue(forKey: oldest) {
      case .document(let document)??: document.forget()
      case .some(nil): measuredOfClients -= 1
      default: break
      }
    }

    /// Notes the result of measuring. Returns false if the name is forgotten: others were asked for meanwhile.
    mutating func end(_ name: Name, _ finding: Finding) -> Bool {
      guard let before = findings.updateValue(finding, forKey: name) else {
        findings[name] = nil
        return false
      }
      if name.isOfClient, before == nil { measuredOfClients -= 1 }
      return true
    }
  }

  /// How many documents are known whose number clients decide. Beyond it, the oldest is made again when it is asked for.
  private static let keptOfClients = 64
  /// How many of these are measured at once, whether or not their clients still wait: one after another, and before other
  /// documents that are asked for later.
  static let measuredOfClients = 4

  let archive: CellArchive
  private let state = Mutex(State())

  init(of archive: CellArchive) {
    self.archive = archive
    // To make room for more names later would take long. What is not used takes no memory.
    state.withLock {
      $0.findings.reserveCapacity(Self.documentsPerKind * archive.kindCount + Self.keptOfClients)
    }
  }

  /// The documents whose number clients do not decide: a description, and two schemas, with and without examples.
  private static let documentsPerKind = 5

  /// Looks up a document. If it is unknown, it counts as being measured from now on, and `note` must follow.
  func find(_ name: Name) -> Knowledge {
    state.withLock { state in
      if let finding = state.findings[name] { return finding.map(Knowledge.known) ?? .beingMeasured }
      if name.isOfClient, state.measuredOfClients >= Self.measuredOfClients { return .known(.busy) }
      state.begin(name)
      return .unknown
    }
  }

  /// Notes the result of measuring a document.
  func note(_ finding: Finding, of name: Name) {
    state.withLock { state in
      if !state.end(name, finding), case .document(let document) = finding { document.forget() }
    }
  }

  /// Drops the bytes of all documents as soon as nobody borrows them.
  func forgetDocuments() {
    let findings = state.withLock { $0.findings }
    for case .document(let document)? in findings.values { document.forget() }
  }
}
