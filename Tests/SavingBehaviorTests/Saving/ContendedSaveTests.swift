import CoreData
import Foundation
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// Many contexts change the same object at the same time.
@Suite struct ContendedSaveTests {
  /// Counts how often saves have to be repeated.
  private final class CountingPolicy: NSMergePolicy, @unchecked Sendable {
    // Sendable: what it adds is an atomic value.
    let resolutions = Atomic(0)

    override func resolve(mergeConflicts list: [Any]) throws {
      resolutions.add(1, ordering: .relaxed)
      try super.resolve(mergeConflicts: list)
    }
  }

  /// If all contexts in conflict retried simultaneously, 40 of them would need about 20 rounds for each save, and one
  /// in a thousand saves would not succeed within 100 rounds.
  @Test(arguments: Store.allCases)
  func `forty contexts save the same row with few retries`(_ store: Store) async throws {
    let container = try store.library()
    let id = try await newBook(in: container)
    let policy = CountingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    let (writers, saves) = (40, Thoroughness.repetitions(4, all: 10))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for writer in 0..<writers {
        tasks.addTask {
          for number in 0..<saves {
            try await container.performBackgroundTask { context in
              context.mergePolicy = policy
              try context.existingObject(with: id).setValue("\(writer), \(number)", forKey: "name")
              try context.save()
            }
          }
        }
      }
      try await tasks.waitForAll()
    }
    #expect(policy.resolutions.load(ordering: .relaxed) < writers * saves * 6)
  }

  /// Keeps others' changes, and refuses unique values that exist already.
  private final class ServicePolicy: NSMergePolicy, @unchecked Sendable {
    // Sendable: it adds nothing that changes.
    init() { super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType) }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
      try NSMergePolicy.error.resolve(constraintConflicts: list)
    }
  }

  /// Each new object also changes the existing object, at the other end of the relationship.
  @Test(arguments: Store.allCases)
  func `concurrent saves relate unique new objects to one existing object`(_ store: Store) async throws {
    let container = try store.container(of: People.model)
    let id = try await container.performBackgroundTask { context in
      let team = context.insert("Team", ["name": "Red"])
      try context.save()
      return team.objectID
    }
    let policy = ServicePolicy()
    let join = { @Sendable (email: String) async throws in
      try await container.performBackgroundTask { context in
        context.mergePolicy = policy
        _ = context.insert("Person", ["email": email, "team": try context.existingObject(with: id)])
        try context.save()
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for number in 0..<40 { tasks.addTask { try await join("\(number)@x") } }
      try await tasks.waitForAll()
    }
    let error = try await #require(throws: CocoaError.self) { try await join("7@x") }
    #expect(error.code == .managedObjectConstraintMerge)
    let members = try await container.performBackgroundTask { context in
      try context.fetch("Person", "team == %@", [id]).count
    }
    #expect(members == 40)
  }

  @Test(arguments: Store.allCases)
  func `forty contexts link new objects to the same objects`(_ store: Store) async throws {
    let container = try store.container(of: People.model)
    let ids = try await container.performBackgroundTask { context in
      let groups = ["Choir", "Band"].map { context.insert("Group", ["name": $0]) }
      try context.save()
      return groups.map(\.objectID)
    }
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for number in 0..<40 {
        tasks.addTask {
          try await container.performBackgroundTask { context in
            context.mergePolicy = NSMergePolicy.mergingRelationships
            let groups = NSSet(array: try ids.map(context.existingObject))
            _ = context.insert("Person", ["email": "\(number)@x", "groups": groups])
            try context.save()
          }
        }
      }
      try await tasks.waitForAll()
    }
    let members = try await container.performBackgroundTask { context in
      try ids.map { try context.fetch("Person", "ANY groups == %@", [$0]).count }
    }
    #expect(members == [40, 40])
  }

  @Test(arguments: Store.allCases)
  func `forty tasks that find or create one object all succeed, and create one`(_ store: Store) async throws {
    let container = try store.container(of: People.model)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for number in 0..<40 {
        tasks.addTask {
          try await container.performBackgroundTask(retryingConflicts: 20) { context in
            let team = try context.fetch("Team", "name == %@", ["Red"]).first ?? context.insert("Team", ["name": "Red"])
            _ = context.insert("Person", ["email": "\(number)@x", "team": team])
            try context.save()
          }
        }
      }
      try await tasks.waitForAll()
    }
    let counts = try await container.performBackgroundTask { context in
      [try context.fetch("Team").count, try context.fetch("Person", "team.name == %@", ["Red"]).count]
    }
    #expect(counts == [1, 40])
  }

  @Test func `a block is not repeated for other errors, nor more often than asked`() async throws {
    let container = try Store.sqlite.container(of: People.model)
    let runs = Atomic(0)
    for code in [CocoaError.Code.managedObjectMerge, .managedObjectConstraintMerge, .managedObjectValidation] {
      let error = await #expect(throws: CocoaError.self) {
        try await container.performBackgroundTask(retryingConflicts: 3) { _ in
          runs.add(1, ordering: .relaxed)
          throw CocoaError(code)
        }
      }
      #expect(error?.code == code)
      let isConflict = code != .managedObjectValidation
      #expect(runs.exchange(0, ordering: .relaxed) == (isConflict ? 4 : 1))
    }
    let count = try await container.performBackgroundTask(retryingConflicts: 0) { try $0.fetch("Person").count }
    #expect(count == 0)
  }

  @Test(.endsEventually)
  func `a task that is canceled while others repeat their blocks does not wait for them`() async throws {
    let container = try Store.memory.container(of: People.model)
    let runs = Atomic(0)
    let (events, event) = AsyncStream.makeStream(of: String.self)
    var news = events.makeAsyncIterator()
    let gate = DispatchSemaphore(value: 0)
    let first = Task {
      try await container.performBackgroundTask(retryingConflicts: 1) { _ in
        if runs.add(1, ordering: .relaxed).newValue == 1 { throw CocoaError(.managedObjectMerge) }
        event.yield("first")
        gate.wait()
      }
    }
    #expect(await news.next() == "first")
    let canceled = Task {
      try await container.performBackgroundTask(retryingConflicts: 1) { _ in
        event.yield("second")
        throw CocoaError(.managedObjectMerge)
      }
    }
    #expect(await news.next() == "second")
    canceled.cancel()
    await #expect(throws: CancellationError.self) { try await canceled.value }
    gate.signal()
    try await first.value
    // The queue serves others after the canceled task.
    let others = Atomic(0)
    try await container.performBackgroundTask(retryingConflicts: 1) { _ in
      if others.add(1, ordering: .relaxed).newValue == 1 { throw CocoaError(.managedObjectMerge) }
    }
    #expect(others.load(ordering: .relaxed) == 2)
  }

  /// Saves another context whenever it resolves a conflict, after a third has changed the same object.
  private final class SavingPolicy: NSMergePolicy, @unchecked Sendable {
    // Sendable: what it adds are constants, and contexts have queues.
    private let (id, other, third): (NSManagedObjectID, NSManagedObjectContext, NSManagedObjectContext)
    let rounds = Atomic(0)

    init(_ id: NSManagedObjectID, saving other: NSManagedObjectContext, after third: NSManagedObjectContext) {
      (self.id, self.other, self.third) = (id, other, third)
      super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    }

    override func resolve(mergeConflicts list: [Any]) throws {
      try super.resolve(mergeConflicts: list)
      let round = rounds.add(1, ordering: .relaxed).newValue
      guard round <= 2 else { return }
      for context in [other, third, other] { try context.performAndWait { try change(in: context, round) } }
    }

    private func change(in context: NSManagedObjectContext, _ round: Int) throws {
      if context.hasChanges { return try context.save() }
      try context.existingObject(with: id).setValue("round \(round)", forKey: "name")
      if context === third { try context.save() }
    }
  }

  @Test(arguments: Store.allCases)
  func `a merge policy may save another context that has a conflict`(_ store: Store) async throws {
    let container = try store.library()
    let id = try await newBook(in: container)
    let contexts = (0..<3).map { _ in container.newBackgroundContext() }
    let policy = SavingPolicy(id, saving: contexts[1], after: contexts[2])
    contexts[0].mergePolicy = policy
    contexts[1].mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    contexts[2].mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let mine = contexts[0]
    try await mine.perform { try mine.existingObject(with: id).setValue("mine", forKey: "name") }
    try await container.performBackgroundTask { context in
      try context.existingObject(with: id).setValue("theirs", forKey: "name")
      try context.save()
    }
    try await mine.perform { try mine.save() }
    #expect(policy.rounds.load(ordering: .relaxed) == 3)
    let title = try await container.performBackgroundTask {
      try $0.existingObject(with: id).value(forKey: "name") as? String
    }
    #expect(title == "mine")
  }

  /// Sleeps before it resolves a conflict.
  private final class SlowPolicy: NSMergePolicy, @unchecked Sendable {
    // Sendable: what it adds are a constant and an atomic value.
    private let microseconds: UInt32
    let resolutions = Atomic(0)

    init(microseconds: UInt32) {
      self.microseconds = microseconds
      super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    }

    override func resolve(mergeConflicts list: [Any]) throws {
      resolutions.add(1, ordering: .relaxed)
      usleep(microseconds)
      try super.resolve(mergeConflicts: list)
    }
  }

  /// Runs a block on several new threads: the pool has only as many as the machine has cores.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for number in 0..<count {
        tasks.addTask {
          try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread { continuation.resume(with: Result { try body(number) }) }
          }
        }
      }
      try await tasks.waitForAll()
    }
  }

  @Test(arguments: Store.allCases)
  func `a slow merge policy succeeds while others write the same row`(_ store: Store) async throws {
    let container = try store.library()
    let id = try await newBook(in: container)
    let (policy, quickPolicy) = (SlowPolicy(microseconds: 20_000), SlowPolicy(microseconds: 0))
    let isDone = Flag()
    let write = { @Sendable (name: String, policy: SlowPolicy) in
      let context = container.newBackgroundContext()
      try context.performAndWait {
        context.mergePolicy = policy
        try context.existingObject(with: id).setValue(name, forKey: "name")
        // Long enough for others to commit.
        usleep(1_000)
        try context.save()
      }
    }
    try await onThreads(5) { thread in
      if thread > 0 {
        while !isDone.isSet { try write("quick \(thread)", quickPolicy) }
      } else {
        defer { isDone.set() }
        for number in 0..<10 { try write("slow \(number)", policy) }
      }
    }
    // Only attempts that were under way when the save got the writer lock can make it resolve again.
    #expect(policy.resolutions.load(ordering: .relaxed) < 25)
  }

  @Test(arguments: Store.allCases)
  func `new objects link to the same two objects from sixteen threads`(_ store: Store) async throws {
    let container = try store.container(of: People.model)
    let ids = try await container.performBackgroundTask { context in
      let objects = [context.insert("Team", ["name": "Red"]), context.insert("Group", ["name": "chess"])]
      try context.save()
      return objects.map(\.objectID)
    }
    let policy = SlowPolicy(microseconds: 2_000)
    let (writers, saves) = (16, 10)
    try await onThreads(writers) { writer in
      for number in 0..<saves {
        let context = container.newBackgroundContext()
        try context.performAndWait {
          context.mergePolicy = policy
          let person = context.insert("Person", ["email": "\(writer).\(number)@x"])
          person.setValue(try context.existingObject(with: ids[0]), forKey: "team")
          person.setValue([try context.existingObject(with: ids[1])] as Set<NSManagedObject>, forKey: "groups")
          try context.save()
        }
      }
    }
    let (members, people) = try await container.performBackgroundTask { context in
      let (team, group) = (try context.existingObject(with: ids[0]), try context.existingObject(with: ids[1]))
      return (team.set("members").count, group.set("people").count)
    }
    #expect(members == writers * saves && people == writers * saves)
    // A save with the writer lock resolves again only if another attempt was already under way.
    #expect(policy.resolutions.load(ordering: .relaxed) < writers * saves * 2)
  }

  /// Waits, while it resolves its first conflict, for a save that changes the same object on another thread.
  private final class WaitingPolicy: NSMergePolicy, @unchecked Sendable {
    // Sendable: what it adds are constants, and the context has a queue.
    private let (id, other): (NSManagedObjectID, NSManagedObjectContext)
    private let rounds = Atomic(0)
    let otherHasSaved = Flag()

    init(_ id: NSManagedObjectID, waitingFor other: NSManagedObjectContext) {
      (self.id, self.other) = (id, other)
      super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    }

    override func resolve(mergeConflicts list: [Any]) throws {
      if rounds.add(1, ordering: .relaxed).newValue == 1 {
        let isSaved = DispatchSemaphore(value: 0)
        other.perform { [self] in
          (try? other.existingObject(with: id))?.setValue("other", forKey: "name")
          if (try? other.save()) != nil { otherHasSaved.set() }
          isSaved.signal()
        }
        isSaved.wait()
      }
      try super.resolve(mergeConflicts: list)
    }
  }

  @Test(arguments: Store.allCases)
  func `a merge policy may wait for a save of the same row`(_ store: Store) async throws {
    let container = try store.library()
    let id = try await newBook(in: container)
    let (mine, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    let policy = WaitingPolicy(id, waitingFor: other)
    (mine.mergePolicy, other.mergePolicy) = (policy, NSMergePolicy.mergeByPropertyObjectTrump)
    try await mine.perform { try mine.existingObject(with: id).setValue("mine", forKey: "name") }
    try await container.performBackgroundTask { context in
      try context.existingObject(with: id).setValue("theirs", forKey: "name")
      try context.save()
    }
    try await mine.perform { try mine.save() }
    #expect(policy.otherHasSaved.isSet)
    let title = try await container.performBackgroundTask {
      try $0.existingObject(with: id).value(forKey: "name") as? String
    }
    #expect(title == "mine")
  }

  private func newBook(in container: NSPersistentContainer) async throws -> NSManagedObjectID {
    try await container.performBackgroundTask { context in
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("new", forKey: "name")
      try context.save()
      return book.objectID
    }
  }
}

/// Set once, by any thread.
private final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
