import Foundation
import StrataTestSupport
import Testing

/// One store shared by several processes.
@Suite(.waitsForProcesses, .serialized) struct SharedStoreTests {
  /// Starts a process that merges the commits of others, and waits until it is ready.
  private func reader(_ home: Home, _ count: Int) throws -> Program {
    let reader = try Program("strata-store-probe", ["read", home.url.path, "\(count)"], home: home.url)
    #expect(reader.wait { $0.first == "ready" }, "\(reader.errorText)")
    return reader
  }

  private func writer(_ home: Home, _ count: Int, every milliseconds: Int = 0) throws -> Program {
    try Program("strata-store-probe", ["write", home.url.path, "\(count)", "\(milliseconds)"], home: home.url)
  }

  /// The commits that a reader merged: writer, number and time.
  private func merged(_ reader: Program) -> [(writer: Int32, number: Int, time: UInt64)] {
    reader.lines.dropFirst().compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 3, let writer = Int32(words[0]), let number = Int(words[1]), let time = UInt64(words[2])
      else { return nil }
      return (writer, number, time)
    }
  }

  @Test func `every commit reaches every process once`() throws {
    let home = try Home()
    let count = 300
    let readers = try [reader(home, count), reader(home, count)]
    let writer = try writer(home, count, every: 3)
    #expect(writer.status() == 0, "\(writer.errorText)")
    let saved = writer.lines.compactMap { $0.split(separator: " ").last.flatMap { UInt64($0) } }
    #expect(saved.count == count)
    for reader in readers {
      #expect(reader.status() == 0, "\(reader.errorText)")
      let merged = merged(reader)
      #expect(merged.map(\.number) == Array(0..<count))
      let delays = merged.map { Double($0.time) / 1_000 - Double(saved[$0.number]) / 1_000 }.sorted()
      print(
        "commit to merged: median \(Int(delays[count / 2])) µs, p99 \(Int(delays[count * 99 / 100])) µs, "
          + "maximum \(Int(delays[count - 1])) µs")
      #expect(delays[count / 2] < 100_000)
    }
  }

  @Test func `several writers do not lose commits`() throws {
    let home = try Home()
    let reader = try reader(home, 300)
    let writers = try (0..<3).map { _ in try writer(home, 100) }
    for writer in writers { #expect(writer.status() == 0, "\(writer.errorText)") }
    #expect(reader.status() == 0, "\(reader.errorText)")
    let merged = merged(reader)
    for writer in writers {
      #expect(merged.filter { $0.writer == writer.identifier }.map(\.number) == Array(0..<100))
    }
  }

  @Test func `a killed writer leaves every acknowledged commit`() throws {
    let home = try Home()
    let reader = try reader(home, 1_000_000)
    var acknowledged = 0
    for _ in 0..<5 {
      let writer = try writer(home, 1_000_000)
      #expect(writer.wait { $0.count > 40 })
      writer.signal(SIGKILL)
      #expect(writer.status() == -SIGKILL)
      let numbers = writer.lines.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
      acknowledged += numbers.count
      let last = try #require(numbers.last)
      // The last commit may be complete without having been acknowledged, but none before it may be missing.
      #expect(reader.wait { _ in merged(reader).filter { $0.writer == writer.identifier }.count > last })
      let seen = merged(reader).filter { $0.writer == writer.identifier }.map(\.number)
      #expect(seen == Array(0..<seen.count) && seen.count - numbers.count <= 1)
    }
    #expect(acknowledged >= 200)
    let after = try writer(home, 1)
    #expect(after.status() == 0, "\(after.errorText)")
  }

  @Test func `a process catches up after it was stopped`() throws {
    let home = try Home()
    let reader = try reader(home, 200)
    reader.signal(SIGSTOP)
    let writer = try writer(home, 200)
    #expect(writer.status() == 0, "\(writer.errorText)")
    reader.signal(SIGCONT)
    #expect(reader.status() == 0)
    #expect(merged(reader).map(\.number) == Array(0..<200))
  }

  @Test func `batch requests reach every process`() throws {
    let home = try Home()
    let count = 700
    let reader = try reader(home, count)
    let writer = try Program("strata-store-probe", ["batch", home.url.path, "\(count)"], home: home.url)
    #expect(writer.status() == 0, "\(writer.errorText)")
    #expect(reader.status() == 0, "\(reader.errorText)")
    let merged = merged(reader)
    #expect(merged.map(\.number).sorted() == Array(0..<count))
    #expect(Set(merged.map(\.writer)) == [writer.identifier])
  }

  @Test func `the list of one process follows the commits of another`() throws {
    let home = try Home()
    let reader = try Program("strata-store-probe", ["follow", home.url.path, "200"], home: home.url)
    #expect(reader.wait { $0.first == "ready" }, "\(reader.errorText)")
    let editor = try Program("strata-store-probe", ["edit", home.url.path, "200"], home: home.url)
    #expect(editor.status() == 0, "\(editor.errorText)")
    #expect(reader.status() == 0, "\(reader.errorText)")
    let shown = reader.lines.filter { $0.hasPrefix("shown ") }.map { String($0.dropFirst(6)) }
    #expect(shown == editor.lines && shown.count > 30)
    let callbacks = reader.lines.dropFirst().filter { !$0.hasPrefix("shown ") }
    for batch in callbacks.split(separator: "did") {
      #expect(batch.first == "will" && batch.count > 1)
      let ranks = batch.dropFirst().map { $0 == "section delete" ? 2 : $0.hasPrefix("section") ? 0 : 1 }
      #expect(ranks.sorted() == ranks, "insertions of sections come before objects, and deletions after them: \(batch)")
    }
    #expect(Set(callbacks).isSuperset(of: ["section insert", "object insert", "object delete", "object move"]))
  }
}
