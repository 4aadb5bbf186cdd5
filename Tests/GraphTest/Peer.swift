import CoreData
import Foundation
import StrataRandomRuns
import StrataTestSupport

/// Another process on the store of a session. At the session's request it commits a few random changes, and compares the
/// store with its own plain graph. The contexts of the session merge the commit.
final class Peer {
  /// The reply to a request: whether a delete rule or a unique value prevented the save, and the numbers to continue with.
  struct Commit {
    let isSaved: Bool
    let nextKey: Int
    let tick: Int
    let attempt: Int
  }

  private let requests = Pipe()
  private let replies = Pipe()
  private let process: SpawnedProcess

  init(on store: GraphStore) throws {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    process = try SpawnedProcess(
      program, ["--store", store.kind.rawValue, "--peer", store.url.absoluteString],
      input: requests.fileHandleForReading, output: replies.fileHandleForWriting)
    try requests.fileHandleForReading.close()
    try replies.fileHandleForWriting.close()
  }

  deinit {
    try? requests.fileHandleForWriting.close()
    process.status(seconds: 10)
  }

  func commit(seed: Int, numbers: [Int]) throws -> Commit {
    let request = ([seed] + numbers).map(String.init).joined(separator: " ")
    try requests.fileHandleForWriting.write(contentsOf: Data("\(request)\n".utf8))
    var line = ""
    while !line.hasSuffix("\n") {
      let data = replies.fileHandleForReading.availableData
      if data.isEmpty { throw GraphFailure("the other process ended: \(line)") }
      line += String(decoding: data, as: UTF8.self)
    }
    let words = line.split(whereSeparator: \.isWhitespace)
    let numbers = words.dropFirst().compactMap { Int($0) }
    guard numbers.count == 3, words[0] == "saved" || words[0] == "refused" else {
      throw GraphFailure("the other process: \(line)")
    }
    return Commit(isSaved: words[0] == "saved", nextKey: numbers[0], tick: numbers[1], attempt: numbers[2])
  }

  /// Commits for a session until it closes the standard input.
  static func serve(_ kind: GraphStore.Kind, at url: URL) throws {
    let session = try GraphSession(peerAt: url, kind: kind)
    while let line = readLine() {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 4 else { throw GraphFailure("unknown request '\(line)'") }
      let isSaved = try session.commit(
        after: Commit(isSaved: true, nextKey: numbers[1], tick: numbers[2], attempt: numbers[3]), seed: numbers[0])
      printLine("\(isSaved ? "saved" : "refused") \(session.numbers.map(String.init).joined(separator: " "))")
    }
  }
}

extension GraphSession {
  /// Makes another process commit, and waits until every context has merged the commit.
  func commitElsewhere(_ step: Step) throws {
    guard let peer = try openPeer() else { return }
    try settle(policy: 0)
    log("// another process commits, seed \(step.b)")
    let commit = try peer.commit(seed: step.b, numbers: numbers)
    adopt(commit)
    guard commit.isSaved else { return }
    saved = try readStore(isNew: true)
    // A policy that restores a deleted object may leave a one-to-one relationship with one end.
    let faults = saved.contradictions.filter { !$0.contains(".spouse") }
    if let first = faults.first { throw GraphFailure("the store after another process: \(first)") }
    forgetGoneIDs()
    try awaitMerges()
  }

  /// Changes the store's current contents, and saves the changes.
  /// - Returns: whether the save succeeded.
  fileprivate func commit(after last: Peer.Commit, seed: Int) throws -> Bool {
    adopt(last)
    try awaitClock(roots[0])
    saved = try readStore(isNew: false)
    try startAgain()
    var random = SeededRandom(seed: UInt64(seed))
    try edit(roots[0], &random)
    let isSaved = try save(roots[0], policy: 0)
    if !isSaved { try rollback(roots[0]) }
    return isSaved
  }
}
