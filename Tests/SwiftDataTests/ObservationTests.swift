import Foundation
import Observation
import StrataTestSupport
import SwiftData
import Synchronization
import Testing

/// Reports of `withObservationTracking` about models.
@Suite struct ObservationTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    folder = try TemporaryFolder()
    container = try ModelContainer(for: Novel.self, configurations: ModelConfiguration(url: folder.url("Novels.store")))
    context = ModelContext(container)
  }

  private func saved(_ title: String, by writer: Writer? = nil) throws -> Novel {
    let novel = Novel(title: title, writer: writer)
    context.insert(novel)
    try context.save()
    return novel
  }

  @Test func `changes of the program are reported for the property alone`() throws {
    let novel = try saved("Orlando")
    #expect(changes(of: { _ = novel.pages }) { novel.pages = 3 } == 1)
    #expect(changes(of: { _ = novel.genre }) { novel.genre = .love } == 1)
    #expect(changes(of: { _ = novel.pages }) { novel.title = "Flush" } == 0)
    #expect(changes(of: { novel.pages = 4 }) { novel.pages = 5 } == 0)
  }

  @Test func `changes of a relationship are reported at both ends`() throws {
    let writer = Writer(name: "Virginia")
    let novel = try saved("Orlando")
    context.insert(writer)
    #expect(changes(of: { _ = writer.novels }) { novel.writer = writer } == 1)
    #expect(changes(of: { _ = novel.writer }) { writer.novels = [] } == 1)
  }

  @Test func `a rollback is reported`() throws {
    let novel = try saved("Orlando")
    novel.pages = 7
    #expect(changes(of: { _ = novel.pages }) { context.rollback() } == 1)
    #expect(novel.pages == 1)
  }

  @Test func `what another context saves is reported when it arrives`() throws {
    let novel = try saved("Orlando")
    let count = try changes(of: { _ = novel.pages }) {
      let other = ModelContext(container)
      try other.fetch(FetchDescriptor<Novel>()).first?.pages = 9
      try other.save()
      context.processPendingChanges()
    }
    #expect(count == 1 && novel.pages == 9)
  }

  @Test func `a model without a context reports its changes`() {
    let novel = Novel(title: "Orlando")
    #expect(changes(of: { _ = novel.pages }) { novel.pages = 3 } == 1)
    #expect(changes(of: { _ = novel.pages }) { novel.title = "Flush" } == 0)
  }

  @Test func `changes after the insertion reach observers from before it`() throws {
    let novel = Novel(title: "Orlando")
    #expect(changes(of: { _ = novel.pages }) { context.insert(novel) } == 0)
    let count = changes(of: { _ = novel.rating }) {
      context.insert(novel)
      novel.rating = 3
    }
    #expect(count == 1)
    let other = Novel(title: "Flush")
    #expect(
      changes(of: { _ = other.pages }) {
        context.insert(other)
        other.rating = 2
        other.pages = 2
      } == 1)
  }

  @Test func `a property that the program observes itself is reported`() throws {
    let novel = try saved("Orlando")
    for model in [novel, Novel(title: "Flush")] {
      #expect(changes(of: { _ = model.observedIsOpen }) { model.observedIsOpen = true } == 1)
      #expect(changes(of: { _ = model.pages }) { model.observedPages = 3 } == 1)
    }
  }

  @Test func `observers are notified on the thread of the change`() async throws {
    let container = container
    try await withThrowingTaskGroup { group in
      for index in 0..<8 {
        group.addTask {
          let (context, novel) = (ModelContext(container), Novel(title: "\(index)"))
          context.insert(novel)
          try context.save()
          for page in 0..<50 { #expect(changes(of: { _ = novel.pages }) { novel.pages = page + 2 } == 1) }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// Returns how often what a closure reads is reported to change while another closure runs.
private func changes(of read: () -> Void, during body: () throws -> Void) rethrows -> Int {
  let count = Mutex(0)
  // An observer is notified once, so there are two.
  for _ in 0..<2 { withObservationTracking(read) { count.withLock { $0 += 1 } } }
  try body()
  return count.withLock { $0 } / 2
}

extension Novel {
  fileprivate var observedIsOpen: Bool {
    get {
      access(keyPath: \.isOpen)
      return isOpen
    }
    set { withMutation(keyPath: \.isOpen) { isOpen = newValue } }
  }

  fileprivate var observedPages: Int {
    get { pages }
    set { withMutation(keyPath: \.pages) { pages = newValue } }
  }
}
