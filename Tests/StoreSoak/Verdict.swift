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
  /// Nanoseconds until the merge in another process, ascending, without processes that were stopped meanwhile: from the
  /// start of the save, which includes waiting for the writer lock, and from its return, when the merge is often done
  /// already.
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
      if stored[commit.position] != nil { faults.append("two commits have the place \(commit.position)") }
      stored[commit.position] = Stored(life: commit.life, number: commit.number)
      positions[commit.row] = commit.position
    }
    if stored.count != last - outcome.firstCommit { faults.append("keys of commits are not 1, 2, 3…") }
    let accounts = try outcome.lives.map { life in
      var account = try Account(life, in: outcome.folder)
      account.order(by: positions)
      return account
    }
    judgeSaves(accounts, stored)
    let items = judgeItems(accounts, stored, from: outcome.firstItems)
    let container = try SoakStore.open(in: outcome.folder)
    let found = try ItemState.all(of: container)
    if found != items {
      unequal += 1
      faults.append("the store's items are not those of the commits: \(Self.difference(found, items))")
    }
    judgeMerges(accounts, stored, last: last, found)
    if !SoakStore.isOnServer { faults += try Self.toolFaults(SoakStore.url(in: outcome.folder).path) }
    let newest = try outcome.store.newest().transaction
    judgeFollowers(accounts, stored, lead: newest - last, newest: newest)
    delays = Self.delays(accounts)
  }

  var isClean: Bool { faults.isEmpty && lost + unacknowledged + doubled + misordered + missed + unequal == 0 }

  /// What `coredata store check`, which is beside this program, finds wrong.
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

  /// Every acknowledged commit is there; refused ones are not; those in flight may be.
  private mutating func judgeSaves(_ accounts: [Account], _ stored: [Int: Stored]) {
    var known = Set(stored.values)
    if known.count != stored.count {
      doubled += stored.count - known.count
      faults.append("a commit is in the store twice")
    }
    for account in accounts {
      faults += account.faults.map { "life \(account.life.number): \($0)" }
      for (number, save) in account.saves {
        let isThere = known.contains(Stored(life: account.life.number, number: number))
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
    for account in accounts {
      for number in account.saves.keys { known.remove(Stored(life: account.life.number, number: number)) }
    }
    // Commits that no process ever attempted.
    unacknowledged += known.count
  }

  /// Checks the items against all commits in the store, in order; one in flight counts completely.
  private func judgeItems(
    _ accounts: [Account], _ stored: [Int: Stored], from first: [Int: ItemState]
  ) -> [Int: ItemState] {
    let byLife = Dictionary(uniqueKeysWithValues: accounts.map { ($0.life.number, $0) })
    var items = first
    for (_, commit) in stored.sorted(by: { $0.key < $1.key }) {
      for work in byLife[commit.life]?.saves[commit.number]?.works ?? [] {
        if work.hasPrefix("-"), let key = Int(work.dropFirst()) { items[key] = nil }
        if work.hasPrefix("="), let state = ItemState(work.dropFirst()) { items[state.key] = state }
      }
    }
    return items
  }

  /// From the first merge on, every commit is merged once, in order; and at the end the context equals the store.
  private mutating func judgeMerges(
    _ accounts: [Account], _ stored: [Int: Stored], last: Int, _ items: [Int: ItemState]
  ) {
    for account in accounts {
      merges += account.merges.count
      var newest: Int?
      for merge in account.merges {
        if stored[merge.key] != Stored(life: merge.life, number: merge.number) {
          faults.append("life \(account.life.number) merged \(merge), which is not in the store")
        }
        if let before = newest {
          if merge.key == before { doubled += 1 }
          if merge.key < before {
            misordered += 1
            faults.append("life \(account.life.number) merged commit \(merge.key) after \(before)")
          }
          if merge.key > before + 1 { missed += merge.key - before - 1 }
        } else if let known = account.firstCommit, merge.key > known + 1 {
          missed += merge.key - known - 1
        }
        newest = max(newest ?? 0, merge.key)
      }
      guard let held = account.held else {
        if !account.life.wasKilled { faults.append("life \(account.life.number) did not tell what it holds") }
        continue
      }
      missed += max(0, last - max(newest ?? 0, account.firstCommit ?? 0, account.reread ?? 0))
      if held != items {
        unequal += 1
        faults.append("life \(account.life.number) holds other items than the store: \(Self.difference(held, items))")
      }
    }
  }

  /// Every slot received every transaction, in order, across all its processes; only the one being delivered when a
  /// process was killed is delivered again.
  private mutating func judgeFollowers(_ accounts: [Account], _ stored: [Int: Stored], lead: Int, newest: Int) {
    for (slot, accounts) in Dictionary(grouping: accounts, by: \.life.slot) {
      var last: Int?
      for account in accounts.sorted(by: { $0.life.number < $1.life.number }) {
        for told in account.told {
          followed += 1
          if let life = stored[told.number - lead]?.life, life != told.life {
            faults.append("slot \(slot) was told transaction \(told.number) of life \(told.life), not \(life)")
          }
          defer { last = told.number }
          guard let before = last else { continue }
          switch told.number - before {
          case 1: break
          case 0 where told.isFirst: repeated += 1
          case 0: doubled += 1
          case ..<0:
            misordered += 1
            faults.append("life \(account.life.number) was told transaction \(told.number) after \(before)")
          case let step: missed += step - 1
          }
        }
      }
      if let last, last != newest { missed += newest - last }
    }
  }

  private static func delays(_ accounts: [Account]) -> (fromBegin: [Int], fromEnd: [Int]) {
    var saves: [Stored: (began: Int, ended: Int, life: Life)] = [:]
    for account in accounts {
      for (number, save) in account.saves {
        guard case .acknowledged(let began, let ended)? = save.end else { continue }
        saves[Stored(life: account.life.number, number: number)] = (began, ended, account.life)
      }
    }
    var delays: (fromBegin: [Int], fromEnd: [Int]) = ([], [])
    for account in accounts {
      for merge in account.merges where merge.life != account.life.number {
        guard let save = saves[Stored(life: merge.life, number: merge.number)] else { continue }
        let times = min(save.began, merge.time)...max(save.ended, merge.time)
        if account.life.slept(within: times) || save.life.slept(within: times) { continue }
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
