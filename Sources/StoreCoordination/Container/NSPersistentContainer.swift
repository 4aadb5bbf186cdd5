import Foundation
import StrataFoundationGaps
import StrataManagedModel
import StrataObjectGraph
import StrataRuntime
import StrataSupport
import Synchronization

/// A model, its coordinator and its contexts.
///
/// ```swift
/// let container = NSPersistentContainer(name: "Quakes")
/// container.loadPersistentStores { description, error in
///   if let error { fatalError("\(description): \(error)") }
/// }
/// let request = NSFetchRequest<Quake>(entityName: "Quake")
/// let quakes = try container.viewContext.fetch(request)
/// try await container.performBackgroundTask { context in
///   Quake(context: context).place = "Tonga"
///   try context.save()
/// }
/// ```
///
/// A subclass can override ``defaultDirectoryURL()`` to choose the folder of its stores, such as a group folder that
/// several processes share, and ``newBackgroundContext()`` and ``viewContext`` to set up every context.
///
/// See <https://developer.apple.com/documentation/coredata/nspersistentcontainer>
open class NSPersistentContainer: NSObject, @unchecked Sendable {
  // Sendable: what changes is in `descriptions`, under its lock.

  /// The name of the container and of its store's file.
  open var name: String { ownName }

  /// The model.
  open var managedObjectModel: NSManagedObjectModel { coordinator.managedObjectModel }

  /// The coordinator of the container's contexts.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator { coordinator }

  /// The context of the main queue, for the objects that the program shows.
  ///
  /// Use it and its objects on the main queue only, or inside its `perform`. It does not show what other contexts save
  /// until `automaticallyMergesChangesFromParent` is set.
  ///
  /// ```swift
  /// let viewContext = container.viewContext
  /// viewContext.automaticallyMergesChangesFromParent = true
  /// let titles = try await viewContext.perform {
  ///   try viewContext.fetch(Book.fetchRequest()).map(\.title)
  /// }
  /// ```
  open var viewContext: NSManagedObjectContext { mainContext }

  private let ownName: String
  private let coordinator: NSPersistentStoreCoordinator
  private let mainContext: NSManagedObjectContext
  private let descriptions: Mutex<Descriptions>
  /// For callers whose saves were in conflict.
  let retryQueue = RetryQueue()

  /// The program may change descriptions until the stores are loaded, and one thread loads them.
  private struct Descriptions: @unchecked Sendable { var list: [NSPersistentStoreDescription]? }

  /// Returns the folder for stores: `$XDG_DATA_HOME/<program>`, or `~/.local/share/<program>` if the variable is not
  /// set. It is created if necessary, accessible only to its user.
  ///
  /// The folder has the name of the program's file. Override this method for programs that share stores, and for
  /// scripts, whose program is their interpreter.
  ///
  /// ```swift
  /// final class SharedContainer: NSPersistentContainer, @unchecked Sendable {
  ///   // Programs with different names have different folders by default.
  ///   override class func defaultDirectoryURL() -> URL {
  ///     let group = "group.org.example.quakes"
  ///     return FileManager.default
  ///       .containerURL(forSecurityApplicationGroupIdentifier: group)
  ///       ?? super.defaultDirectoryURL()
  ///   }
  /// }
  /// ```
  open class func defaultDirectoryURL() -> URL {
    let folder = URL(fileURLWithPath: DataFolder.ofProgram(), isDirectory: true)
    // If the folder cannot be made, the error of opening a store in it says so.
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return folder
  }

  /// Creates a container for a model that was made in code or comes from another container, with a description of the
  /// SQLite store `<name>.sqlite` in `defaultDirectoryURL()`. It opens no store.
  ///
  /// A store of that name next to the program's folder, where earlier releases put it, is used if the program knows its
  /// model.
  ///
  /// ```swift
  /// let model = NSManagedObjectModel()
  /// model.entities = [quakeEntity, regionEntity]
  /// let container = NSPersistentContainer(
  ///   name: "Test", managedObjectModel: model)
  /// // A description without a URL: the store is in memory.
  /// container.persistentStoreDescriptions = [NSPersistentStoreDescription()]
  /// ```
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    ownName = name
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    mainContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    descriptions = Mutex(Descriptions(list: nil))
    super.init()
    mainContext.persistentStoreCoordinator = coordinator
    mainContext.name = "viewContext"
  }

  /// Creates a container for the model with the same name: one that is embedded by the model plugin, or `<name>.momd`,
  /// `.mom`, `.xcdatamodeld` or `.xcdatamodel` in the main bundle, which is the program's folder.
  ///
  /// Containers with the same name share the model. If there is no such model, the program stops.
  public convenience init(name: String) { self.init(name: name, managedObjectModel: Self.model(named: name)) }

  private static func model(named name: String) -> NSManagedObjectModel {
    let module = TypeNames.full(of: Self.self).split(separator: ".").first.map(String.init)
    guard let model = NSManagedObjectModel.model(named: name, module: module) else {
      fatalError(
        "Failed to load model named \(name): the program was not built with such a model, "
          + "and there is no \(name).momd in \(Bundle.main.bundleURL.path). If \(name).xcdatamodeld is among the sources of "
          + "a target, the target needs the plugin CoreDataModel in Package.swift: "
          + "plugins: [.plugin(name: \"CoreDataModel\", package: \"Strata\")].")
    }
    return model
  }

  /// The stores that `loadPersistentStores` opens. Set or change them before.
  ///
  /// Until it is set, it describes one SQLite store in `defaultDirectoryURL()`, which is called when this is first
  /// read.
  ///
  /// ```swift
  /// let description = container.persistentStoreDescriptions[0]
  /// description.setOption(
  ///   true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
  /// container.loadPersistentStores { _, error in  // After the options.
  ///   if let error { fatalError("\(error)") }
  /// }
  /// ```
  open var persistentStoreDescriptions: [NSPersistentStoreDescription] {
    get {
      if let list = descriptions.withLock({ $0 }).list { return list }
      let url = Self.storeURL(named: name, model: managedObjectModel, in: type(of: self).defaultDirectoryURL())
      let usual = Descriptions(list: [NSPersistentStoreDescription(url: url)])
      let known = descriptions.withLock { descriptions in
        if descriptions.list == nil { descriptions = usual }
        return descriptions
      }
      return known.list ?? []
    }
    set {
      let new = Descriptions(list: newValue)
      descriptions.withLock { $0 = new }
    }
  }

  /// Opens the stores that are not open yet. The folder of a new store is created if necessary.
  ///
  /// This method does not throw: a store that cannot be opened is reported to the block, and the others are opened all
  /// the same.
  ///
  /// ```swift
  /// var failure: (any Error)?
  /// container.loadPersistentStores { description, error in
  ///   if let error { failure = error }
  /// }
  /// if let failure { throw failure }
  /// ```
  /// - Parameter block: called once for each description: before this method returns, unless the description asks for
  ///   another thread.
  open func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions.filter({ !isLoaded($0) }) {
      // Descriptions of one file mean one store; each description of an in-memory store means another.
      guard description.type == NSInMemoryStoreType || !isLoaded(description) else { continue }
      makeFolder(of: description)
      persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
    }
  }

  /// Makes the folder of a new store, as Apple's container does and its coordinator does not. If it cannot be made, the error
  /// of adding the store says so.
  private func makeFolder(of description: NSPersistentStoreDescription) {
    guard let url = description.url, url.isFileURL, !description.isReadOnly else { return }
    let folder = url.deletingLastPathComponent()
    let driver = try? StoreDrivers.driver(ofType: description.type)
    guard access(folder.path, F_OK) != 0, driver?.isInMemory(url) == false else { return }
    StandardFolder.make(for: url)
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func isLoaded(_ description: NSPersistentStoreDescription) -> Bool {
    let stores = persistentStoreCoordinator.persistentStores
    guard !stores.isEmpty else { return false }
    let url = description.url
    let configuration = description.configuration ?? NSManagedObjectModel.defaultConfigurationName
    let isInMemory = description.type == NSInMemoryStoreType
    // Several in-memory stores may share a URL or be without one, each for another configuration.
    let driver = try? StoreDrivers.driver(ofType: description.type)
    let isAlone = url.map { driver?.isInMemory($0) != true } ?? false
    return stores.contains {
      (url?.isSameFile(as: $0.url) ?? ($0.url == nil)) && isInMemory == ($0.type == NSInMemoryStoreType)
        && (isAlone || $0.configurationName == configuration)
    }
  }

  /// Returns a new context with a private queue, whose parent is the coordinator.
  ///
  /// Each call creates a context. Keep it for work in several blocks, and use it and its objects only inside its
  /// `perform` and `performAndWait`.
  ///
  /// ```swift
  /// let importer = container.newBackgroundContext()
  /// importer.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
  /// importer.transactionAuthor = "importer"
  /// try await importer.perform {
  ///   Quake(context: importer).place = "Tonga"
  ///   try importer.save()
  /// }
  /// ```
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Runs a block with a new context of ``newBackgroundContext()``, on its queue. Does not wait for it.
  ///
  /// ```swift
  /// func keep(_ place: String) {
  ///   container.performBackgroundTask { context in
  ///     Quake(context: context).place = place
  ///     do {
  ///       try context.save()
  ///     } catch {
  ///       print("The quake is not saved: \(error)")  // Nothing else reports it.
  ///     }
  ///   }
  /// }
  /// ```
  open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    context.perform { block(context) }
  }

  /// Runs a block with a new context of ``newBackgroundContext()``, on its queue.
  ///
  /// ```swift
  /// let id = region.objectID
  /// let count = try await container.performBackgroundTask { context in
  ///   // An object belongs to its context: pass IDs in, and values out.
  ///   let region = try context.existingObject(with: id) as? Region
  ///   region?.name = "South Pacific"
  ///   try context.save()
  ///   return region?.quakes.count
  /// }
  /// ```
  /// - Returns: the result of the block.
  /// - Throws: the error of the block.
  public func performBackgroundTask<T, E: Error>(
    _ block: sending @escaping (NSManagedObjectContext) throws(E) -> T
  ) async throws(E) -> sending T {
    let context = newBackgroundContext()
    return try await context.perform { () throws(E) -> T in try block(context) }
  }
}
