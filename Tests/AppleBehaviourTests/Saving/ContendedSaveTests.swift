import CoreData
import Foundation
import Synchronization
import Testing

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

  /// If all savers that lost a round began the next together, 40 would need about 20 rounds for each save, and one of a
  /// thousand would not succeed in a hundred.
  @Test(arguments: Store.allCases)
  func everySaveSucceedsSoonHoweverManyWriteTheSameRow(_ store: Store) async throws {
    let container = try store.library()
    let id = try await newBook(in: container)
    let policy = CountingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    let (writers, saves) = (40, 10)
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

  /// Keeps what others changed, and refuses values that others have and that must be unique.
  private final class ServicePolicy: NSMergePolicy, @unchecked Sendable {
    // Sendable: it adds nothing that changes.
    init() { super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType) }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
      try NSMergePolicy.error.resolve(constraintConflicts: list)
    }
  }

  /// Each of them changes the old object too, which is the other end of the relationship.
  @Test(arguments: Store.allCases)
  func newObjectsAreRelatedToOneOldObjectAndUnique(_ store: Store) async throws {
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
  func aPolicyMaySaveAnotherContextWithAConflict(_ store: Store) async throws {
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

  private func newBook(in container: NSPersistentContainer) async throws -> NSManagedObjectID {
    try await container.performBackgroundTask { context in
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("new", forKey: "name")
      try context.save()
      return book.objectID
    }
  }
}
