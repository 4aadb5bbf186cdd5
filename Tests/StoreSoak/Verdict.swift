import CoreData
import Foundation

/// Compares the ledgers of all processes with the store and with each other.
struct Verdict {
  private(set) var commits = 0
  private(set) var refused = 0
  private(set) var inFlight = 0
  private(set) var merges = 0
  private(set) var followed = 0
  private(set) var repeated = 0
  private(set) var lost = 0
  private(set) var unacknowledged = 0
  private(set) var doubled = 0
  private(set) var misordered = 0
  private(set) var missed = 0
  private(set) var unequal = 0
  /// Saves that failed because the server could not be reached.
  private(set) var failed = 0
  /// Nanoseconds until the merge in another process, ascending, without processes that were stopped during that time: from
  /// the start of the save, which includes waiting for the writer lock, and from its return, when the merge is often
  /// already complete.
  private(set) var delays: (fromBegin: [Int], fromEnd: [Int]) = ([], [])
  private(set) var faults: [String] = []

  /// A commit in the store, by its position in commit order.
  private struct Stored: Hashable {
    var life: Int
    var number: Int
  }

  init(of outcome: Outcome) throws {
    faults = outcome.faults
    let last = outcome.lastCommit
    faults += try outcome.store.faults()
    var stored: [Int: Stored] = [:]
    var positions: [Int: Int] = [:]
    for commit in try outcome.store.commits(after: outcome.firstCommit) {
      if stored[commit.position] != nil { faults.append("two commits have the position \(commit.position)") }
      stored[commit.position] = Stored(life: commit.life, number: commit.number)
      positions[commit.row] = commit.position
    }
    if stored.count != last - outcome.firstCommit { faults.append("keys of commits are not 1, 2, 3…") }
    let ledgers = try outcome.lives.map { life in
      var ledger = try ParsedLedger(life, in: outcome.folder)
      ledger.sortMerges(by: positions)
      return ledger
    }
    verifySaves(ledgers, stored)
    let items = expectedItems(ledgers, stored, from: outcome.firstItems)
    let container = try SoakStore.open(in: outcome.folder)
    let found = try ItemState.all(of: container)
    if found != items {
      unequal += 1
      faults.append("the store's items are not those of the commits: \(Self.difference(found, items))")
    }
    verifyMerges(ledgers, stored, last: last, found)
    if !SoakStore.isOnServer { faults += try Self.toolFaults(SoakStore.url(in: outcome.folder).path) }
    let newest = try outcome.store.newest().transaction
    verifyFollowers(ledgers, stored, lead: newest - last, newest: newest)
    delays = Self.delays(ledgers)
  }

  var isClean: Bool { faults.isEmpty && lost + unacknowledged + doubled + misordered + missed + unequal == 0 }

  /// The problems that `coredata store check`, which is next to this program, finds.
  private static func toolFaults(_ path: String) throws -> [String] {
    let tool = Process()
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    tool.executableURL = program.deletingLastPathComponent().appendingPathComponent("coredata")
    tool.arguments = ["store", "check", path]
    let output = Pipe()
    tool.standardOutput = output
    try tool.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    tool.waitUntilExit()
    return tool.terminationStatus == 0 ? [] : text.split(separator: "\n").map { "coredata store check: \($0)" }
  }

  /// Verifies that the store contains every acknowledged commit and no refused one. It may contain those in flight.
  private mutating func verifySaves(_ ledgers: [ParsedLedger], _ stored: [Int: Stored]) {
    var known = Set(stored.values)
    if known.count != stored.count {
      doubled += stored.count - known.count
      faults.append("a commit is in the store twice")
    }
    for ledger in ledgers {
      faults += ledger.faults.map { "life \(ledger.life.number): \($0)" }
      for (number, save) in ledger.saves {
        let isThere = known.contains(Stored(life: ledger.life.number, number: number))
        switch save.end {
        case .acknowledged:
          commits += 1
          if !isThere { lost += 1 }
        case .refused:
          refused += 1
          if isThere { unacknowledged += 1 }
        case .failed, nil:
          if case .failed = save.end { failed += 1 }
          if isThere { inFlight += 1 }
        }
      }
    }
    for ledger in ledgers {
      for number in ledger.saves.keys { known.remove(Stored(life: ledger.life.number, number: number)) }
    }
    // Commits that no process ever attempted.
    unacknowledged += known.count
  }

  /// Returns the items that result from all commits in the store, in order. A commit in flight counts completely.
  private func expectedItems(
    _ ledgers: [ParsedLedger], _ stored: [Int: Stored], from first: [Int: ItemState]
  ) -> [Int: ItemState] {
    let byLife = Dictionary(uniqueKeysWithValues: ledgers.map { ($0.life.number, $0) })
    var items = first
    for (_, commit) in stored.sorted(by: { $0.key < $1.key }) {
      for operation in byLife[commit.life]?.saves[commit.number]?.operations ?? [] {
        if operation.hasPrefix("-"), let key = Int(operation.dropFirst()) { items[key] = nil }
        if operation.hasPrefix("="), let state = ItemState(operation.dropFirst()) { items[state.key] = state }
      }
    }
    return items
  }

  /// Verifies that every commit after the first merge is merged once and in order, and that each context finally equals
  /// the store.
  private mutating func verifyMerges(
    _ ledgers: [ParsedLedger], _ stored: [Int: Stored], last: Int, _ items: [Int: ItemState]
  ) {
    for ledger in ledgers {
      merges += ledger.merges.count
      var newest: Int?
      for merge in ledger.merges {
        if stored[merge.key] != Stored(life: merge.life, number: merge.number) {
          faults.append("life \(ledger.life.number) merged \(merge), which is not in the store")
        }
        if let before = newest {
          if merge.key == before { doubled += 1 }
          if merge.key < before {
            misordered += 1
            faults.append("life \(ledger.life.number) merged commit \(merge.key) after \(before)")
          }
          if merge.key > before + 1 { missed += merge.key - before - 1 }
        } else if let known = ledger.firstCommit, merge.key > known + 1 {
          missed += merge.key - known - 1
        }
        newest = max(newest ?? 0, merge.key)
      }
      guard let held = ledger.held else {
        if !ledger.life.wasKilled { faults.append("life \(ledger.life.number) did not log its contents") }
        continue
      }
      missed += max(0, last - max(newest ?? 0, ledger.firstCommit ?? 0, ledger.refetched ?? 0))
      if held != items {
        unequal += 1
        faults.append("life \(ledger.life.number) holds other items than the store: \(Self.difference(held, items))")
      }
    }
  }

  /// Verifies that every slot received every transaction in order, across all its processes. Only the one that was being
  /// delivered when a process was killed is delivered again.
  private mutating func verifyFollowers(_ ledgers: [ParsedLedger], _ stored: [Int: Stored], lead: Int, newest: Int) {
    for (slot, ledgers) in Dictionary(grouping: ledgers, by: \.life.slot) {
      var last: Int?
      for ledger in ledgers.sorted(by: { $0.life.number < $1.life.number }) {
        for delivery in ledger.reported {
          followed += 1
          if let life = stored[delivery.number - lead]?.life, life != delivery.life {
            faults.append("slot \(slot) received transaction \(delivery.number) of life \(delivery.life), not \(life)")
          }
          defer { last = delivery.number }
          guard let before = last else { continue }
          switch delivery.number - before {
          case 1: break
          case 0 where delivery.isFirst: repeated += 1
          case 0: doubled += 1
          case ..<0:
            misordered += 1
            faults.append("life \(ledger.life.number) received transaction \(delivery.number) after \(before)")
          case let step: missed += step - 1
          }
        }
      }
      if let last, last != newest { missed += newest - last }
    }
  }

  private static func delays(_ ledgers: [ParsedLedger]) -> (fromBegin: [Int], fromEnd: [Int]) {
    var saves: [Stored: (began: Int, ended: Int, life: Life)] = [:]
    for ledger in ledgers {
      for (number, save) in ledger.saves {
        guard case .acknowledged(let began, let ended)? = save.end else { continue }
        saves[Stored(life: ledger.life.number, number: number)] = (began, ended, ledger.life)
      }
    }
    var delays: (fromBegin: [Int], fromEnd: [Int]) = ([], [])
    for ledger in ledgers {
      for merge in ledger.merges where merge.life != ledger.life.number {
        guard let save = saves[Stored(life: merge.life, number: merge.number)] else { continue }
        let times = min(save.began, merge.time)...max(save.ended, merge.time)
        if ledger.life.wasStopped(within: times) || save.life.wasStopped(within: times) { continue }
        delays.fromBegin.append(merge.time - save.began)
        delays.fromEnd.append(max(0, merge.time - save.ended))
      }
    }
    return (delays.fromBegin.sorted(), delays.fromEnd.sorted())
  }

  private static func difference(_ one: [Int: ItemState], _ other: [Int: ItemState]) -> String {
    let keys = Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted()
    return keys.prefix(5).map { "\(one[$0]?.text ?? "none") / \(other[$0]?.text ?? "none")" }.joined(separator: "; ")
      + " (\(keys.count) in all)"
  }
}
