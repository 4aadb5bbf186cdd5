import CoreData

/// The store of books. All methods may be called concurrently, from any task, and other processes may use the store.
final class BookShop: Sendable {
  private let container: NSPersistentContainer
  private let gate = Gate(8)

  init(storeURL: URL) throws {
    let description = NSPersistentStoreDescription(url: storeURL)
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container = NSPersistentContainer(name: "Catalog")
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
  }

  /// Closes the store, which checkpoints its log. Later requests fail.
  func close() throws {
    let coordinator = container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  /// Follows the commits of all processes, from now on.
  func follower() throws -> HistoryFollower {
    let coordinator = container.persistentStoreCoordinator
    return try HistoryFollower(
      of: coordinator.persistentStores[0], after: coordinator.currentPersistentHistoryToken(fromStores: nil))
  }

  /// Runs a block that reads, in a context of its own.
  func read<T: Sendable>(_ block: @escaping @Sendable (NSManagedObjectContext) throws -> T) async throws -> T {
    try await gate.run { try await self.container.performBackgroundTask(block) }
  }

  /// Runs a block that saves, and runs it again if another task or process has saved one of its objects or created the
  /// same tag. The block must have no effects outside of its context.
  private func write<T: Sendable>(
    retryingConflicts retries: Int = 10, _ block: @escaping @Sendable (NSManagedObjectContext) throws -> T
  ) async throws -> T {
    try await gate.run {
      try await self.container.performBackgroundTask(retryingConflicts: retries) { context in
        // Two books with the same tag are not in conflict.
        context.mergePolicy = NSMergePolicy.mergingRelationships
        return try block(context)
      }
    }
  }
}

extension BookShop {
  /// - Returns: the book; nil if another one has its ISBN.
  func add(_ book: NewBook) async throws -> BookMessage? {
    try await write { context in
      guard try Book.with(isbn: book.isbn, in: context) == nil else { return nil }
      let new = Book(context: context)
      new.isbn = book.isbn
      new.title = book.title
      new.pages = book.pages ?? 0
      for name in Set(book.tags ?? []) { new.addToTags(try Tag.named(name, in: context)) }
      try context.save()
      return new.message
    }
  }

  func book(_ isbn: String) async throws -> BookMessage? {
    try await read { context in try Book.with(isbn: isbn, in: context)?.message }
  }

  /// A page of the list. The client asks for the next one with the last ISBN that it has.
  func books(after isbn: String, tag: String?, limit: Int) async throws -> [BookMessage] {
    try await read { context in
      let request: NSFetchRequest<Book> = Book.fetchRequest()
      request.predicate = NSPredicate(format: "isbn > %@", isbn)
      if let tag {
        request.predicate = NSPredicate(format: "isbn > %@ AND ANY tags.name == %@", isbn, tag)
      }
      request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.isbn, ascending: true)]
      request.relationshipKeyPathsForPrefetching = ["tags"]
      request.fetchLimit = limit
      return try context.fetch(request).map(\.message)
    }
  }

  /// Changes a book if it still has the revision that the client has seen.
  /// - Returns: the changed book; nil if the book does not exist.
  /// - Throws: `CocoaError` 133020 if the book has another revision, or gets one during the save.
  func change(_ isbn: String, revision: Int64, by change: BookChange) async throws -> BookMessage? {
    try await write(retryingConflicts: 0) { context in
      guard let book = try Book.with(isbn: isbn, in: context) else { return nil }
      guard book.revision == revision else { throw CocoaError(.managedObjectMerge) }
      book.revision += 1
      if let title = change.title { book.title = title }
      if let pages = change.pages { book.pages = pages }
      try context.save()
      return book.message
    }
  }

  /// - Returns: false if the book does not exist.
  func remove(_ isbn: String) async throws -> Bool {
    try await write { context in
      guard let book = try Book.with(isbn: isbn, in: context) else { return false }
      context.delete(book)
      try context.save()
      return true
    }
  }

  func tags() async throws -> [TagMessage] {
    try await read { context in
      let request: NSFetchRequest<Tag> = Tag.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(keyPath: \Tag.name, ascending: true)]
      request.relationshipKeyPathsForPrefetching = ["books"]
      return try context.fetch(request).map { TagMessage(name: $0.name ?? "", books: $0.books?.count ?? 0) }
    }
  }
}

extension Book {
  static func with(isbn: String, in context: NSManagedObjectContext) throws -> Book? {
    let request: NSFetchRequest<Book> = Book.fetchRequest()
    request.predicate = NSPredicate(format: "isbn == %@", isbn)
    return try context.fetch(request).first
  }

  var message: BookMessage {
    let names = (tags as? Set<Tag> ?? []).compactMap(\.name).sorted()
    return BookMessage(isbn: isbn ?? "", title: title ?? "", pages: pages, tags: names, revision: revision)
  }
}

extension Tag {
  /// Returns the tag with a name, or a new one. If another task creates it too, one of the saves fails, because the name
  /// is unique, and its block runs again.
  static func named(_ name: String, in context: NSManagedObjectContext) throws -> Tag {
    let request: NSFetchRequest<Tag> = Tag.fetchRequest()
    request.predicate = NSPredicate(format: "name == %@", name)
    if let tag = try context.fetch(request).first { return tag }
    let tag = Tag(context: context)
    tag.name = name
    return tag
  }
}
