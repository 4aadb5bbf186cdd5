import CoreData
import Foundation
import StrataQuakes

/// The store that the screen shows, with a context on the main queue that merges other processes' commits.
@MainActor
final class LiveStore {
  let location: StoreLocation
  let context: NSManagedObjectContext
  /// What has a context of its own: searches for places, and counts.
  let reader: OpenStore
  /// Earthquakes that were stored since the screen opened and that nobody has looked at.
  private(set) var unseen: Set<NSManagedObjectID> = []
  /// Called when objects of the context changed.
  var onChange: (@MainActor () -> Void)?

  private let container: QuakesContainer
  private let hasPersonal: Bool
  let style: DisplayStyle
  private let file: FileIdentity?
  private var names: CityNames?
  private var observation: (any NSObjectProtocol)?

  init(_ options: StoreOptions, style: DisplayStyle) throws(Failure) {
    self.style = style
    let (container, location) = try options.open()
    file = FileIdentity(location.storeURL.path)
    let reference = StoreOptions.addReference(to: container)
    (self.container, self.location, context) = (container, location, container.viewContext)
    hasPersonal = StoreOptions.addPersonal(to: container, location)
    reader = OpenStore(container, at: location, reference: reference, hasPersonal: hasPersonal)
    names = reference.map { CityNames(in: container.viewContext, of: $0) }
    context.automaticallyMergesChangesFromParent = true
    observation = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { [weak self] note in
      let inserted = (note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? [])
        .filter { $0 is Quake }.map(\.objectID)
      // The context is the main queue's.
      MainActor.assumeIsolated {
        self?.unseen.formUnion(inserted)
        self?.onChange?()
      }
    }
  }

  /// Ends the observation: another store takes this one's place.
  func close() {
    if let observation { NotificationCenter.default.removeObserver(observation) }
    observation = nil
  }

  func see(_ id: NSManagedObjectID) { unseen.remove(id) }

  /// Whether the file was deleted, or another has taken its name.
  var isReplaced: Bool { FileIdentity(location.storeURL.path) != file }

  /// An earthquake with its nearest city.
  func facts(of quake: Quake) -> QuakeFacts { names?.facts(of: quake) ?? quake.facts }

  /// Everything to show about an earthquake, the user's marks and places among it.
  ///
  /// - Throws: what `fetch` throws.
  func details(of quake: Quake, at now: Date) throws -> QuakeDetails {
    var facts = facts(of: quake)
    guard hasPersonal else { return QuakeDetails(facts, places: [], now: now, style: style) }
    facts.mark = try MarkBook(in: context)?.marks(of: [facts.identifier])[facts.identifier] ?? QuakeMark()
    let places = try Place.distances(ofLatitude: quake.latitude, longitude: quake.longitude, in: context)
    return QuakeDetails(facts, places: places, now: now, style: style)
  }

  func freshnessNote(at now: Date) -> String? { try? FreshnessNote.text(of: location, at: now, in: context) }
}

/// Which file a path names.
private struct FileIdentity: Equatable {
  private let device: dev_t
  private let number: ino_t

  /// - Returns: nil if there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
  }
}
