import CoreData

/// A model in two stores: a read-only guide that is delivered with the program, and the user's journal. One context has
/// objects of both.
public final class FieldGuideContainer: NSPersistentContainer, @unchecked Sendable {
  // Sendable: it adds nothing to its superclass, which is Sendable.

  /// Opens both stores.
  /// - Parameter journal: the file of the journal, or nil for a journal in memory.
  public static func open(guide: URL, journal: URL?) throws -> FieldGuideContainer {
    let guideStore = NSPersistentStoreDescription(url: guide)
    guideStore.configuration = "Guide"
    guideStore.isReadOnly = true

    let journalStore: NSPersistentStoreDescription
    if let journal {
      journalStore = NSPersistentStoreDescription(url: journal)
    } else {
      journalStore = NSPersistentStoreDescription()
      journalStore.type = NSInMemoryStoreType
    }
    journalStore.configuration = "Journal"
    return try open([guideStore, journalStore])
  }

  /// Writes an edition of the guide, before it is delivered.
  public static func makeGuide(at url: URL, names: [String: String]) throws {
    let description = NSPersistentStoreDescription(url: url)
    description.configuration = "Guide"
    let context = try open([description]).newBackgroundContext()
    try context.performAndWait {
      for (code, name) in names {
        let species = Species(context: context)
        (species.code, species.name) = (code, name)
      }
      try context.save()
    }
  }

  private static func open(_ descriptions: [NSPersistentStoreDescription]) throws -> FieldGuideContainer {
    let container = FieldGuideContainer(name: "FieldGuide")
    container.persistentStoreDescriptions = descriptions
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = failure ?? error }
    if let failure { throw failure }
    return container
  }
}
