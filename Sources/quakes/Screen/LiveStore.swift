import CoreData
import Foundation
import StrataQuakes
import StrataQuakesMap
import StrataQuakesScreen

/// The store that the screen shows, with a context on the main queue that merges other processes' commits.
@MainActor
final class LiveStore {
  let location: StoreLocation
  let context: NSManagedObjectContext
  /// A context for searches for places, and counts.
  private(set) var reader: OpenStore
  /// Earthquakes that were stored since the screen opened and have not been selected.
  private(set) var unseen: Set<NSManagedObjectID> = []
  /// Called when objects of the context changed.
  var onChange: (@MainActor () -> Void)?
  /// Called when a newer version of the programs has migrated the store.
  var onMigration: (@MainActor () -> Void)?

  let container: QuakesContainer
  private(set) var hasPersonal = false
  var marks: LiveMarks
  /// The world's coasts and plates; nil until a map has read them.
  var outlines: MapOutlines?
  let style: DisplayStyle
  private let file: CatalogIdentity?
  private var personalFile: FileIdentity?
  private var names: CityNames?
  private static let maximumAttempts = 20
  private var observations: [any NSObjectProtocol] = []
  private var watch: FolderWatch?
  private var migrationMonitor: MigrationMonitor?

  /// Opens a store with cities and the user's own data.
  convenience init(_ options: LocationOptions, style: DisplayStyle) throws(Failure) {
    let (container, location) = try options.open()
    self.init(container, at: location, reference: LocationOptions.addReference(to: container), style: style)
    openPersonal()
  }

  /// - Parameter reference: the cities that the container has; nil without any.
  init(_ container: QuakesContainer, at location: StoreLocation, reference: ReferenceLocation?, style: DisplayStyle) {
    self.style = style
    file = location.identity
    (self.container, self.location, context) = (container, location, container.viewContext)
    marks = LiveMarks(in: context)
    reader = OpenStore(container, at: location, reference: reference, hasPersonal: false)
    names = reference.map { CityNames(in: container.viewContext, of: $0) }
    context.automaticallyMergesChangesFromParent = true
    observe(.NSManagedObjectContextObjectsDidChange) { store, note in
      let inserted = note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
      store.unseen.formUnion(inserted.filter { $0 is Quake }.map(\.objectID))
    }
    // Objects that are not retained change too, such as marks.
    observe(.NSManagedObjectContextDidMergeChangesObjectIDs) { _, _ in }
    migrationMonitor = MigrationMonitor(container) { [weak self] in
      DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.onMigration?() } }
    }
  }

  private func observe(_ name: Notification.Name, _ action: @escaping @MainActor (LiveStore, Notification) -> Void) {
    let observation = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
      [weak self] note in
      // unsafe: the context is the main queue's, where its notifications are posted.
      nonisolated(unsafe) let note = note
      MainActor.assumeIsolated {
        guard let self else { return }
        action(self, note)
        self.marks.forget()
        self.onChange?()
      }
    }
    observations.append(observation)
  }

  /// Opens the store of the user's own data, if it exists by now.
  ///
  /// - Parameter attempt: from 1; a program that creates it just now needs a moment until it can be read.
  func openPersonal(attempt: Int = 1) {
    let found = FileIdentity(location.personalURL.path)
    guard !hasPersonal, let found, attempt > 1 || found != personalFile else { return }
    personalFile = found
    do {
      try container.addPersonal(location, for: .reading)
    } catch  where attempt < Self.maximumAttempts {
      return DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in
        MainActor.assumeIsolated { self?.openPersonal(attempt: attempt + 1) }
      }
    } catch {
      StandardStream.error.line("quakes: \(error.message)")
      onChange?()
      return
    }
    hasPersonal = true
    reader = OpenStore(container, at: location, reference: reader.reference, hasPersonal: true)
    marks.forget()
    onChange?()
  }

  /// - Parameter onChange: is called when files appear or disappear, and when a worker starts or ends.
  func watchFolder(onChange: @escaping @MainActor @Sendable () -> Void) {
    watch = FolderWatch(location.folder.path, file: WorkerFile(for: location).url.path, onChange: onChange)
  }

  /// Ends the observation: another store takes this one's place.
  func close() {
    observations.forEach(NotificationCenter.default.removeObserver)
    observations = []
    watch?.cancel()
    watch = nil
  }

  func see(_ id: NSManagedObjectID) { unseen.remove(id) }

  /// Whether a file was deleted, or another has taken its name.
  var isReplaced: Bool {
    location.identity != file
      || hasPersonal && FileIdentity(location.personalURL.path) != personalFile
  }

  /// An earthquake with its nearest city.
  func facts(of quake: Quake) -> QuakeFacts { names?.facts(of: quake) ?? quake.facts }

  /// Everything to show about an earthquake, the user's marks and places among it.
  ///
  /// - Throws: what `fetch` throws.
  func details(of quake: Quake, at now: Date) throws -> QuakeDetails {
    var facts = facts(of: quake)
    facts.findRegion()
    guard hasPersonal else { return QuakeDetails(facts, places: [], now: now, style: style) }
    facts.mark = try mark(of: quake)
    let places = try Place.distances(ofLatitude: quake.latitude, longitude: quake.longitude, in: context)
    return QuakeDetails(facts, places: places, now: now, style: style)
  }

  func freshnessNote(at now: Date) -> String? { try? FreshnessNote.text(of: location, at: now, in: context) }
}
