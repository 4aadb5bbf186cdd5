import CoreData
import Foundation

extension Failure {
  /// A failure to open the store, with advice.
  public static func opening(_ location: StoreLocation, error: any Error) -> Failure {
    store("cannot open the store", at: location, error: error)
  }

  /// A failure to save, with advice. The store is unchanged.
  public static func saving(_ location: StoreLocation, error: any Error) -> Failure {
    store("nothing was written to the store", at: location, error: error)
  }

  /// A failure to read the store.
  public static func reading(_ location: StoreLocation, error: any Error) -> Failure {
    store("cannot read the store", at: location, error: error)
  }

  /// The store does not exist; the worker and imports create it. A location that the user chose may be mistyped.
  public static func noStore(_ location: StoreLocation) -> Failure {
    guard let option = location.isChosen ? location.option : nil else {
      return Failure(
        .noStore,
        """
        there is no store in \(location.folder.path) yet; run "quakes workers start", or "quakes-fetch --once all_day"
        """)
    }
    return Failure(
      .noStore,
      """
      there is no store in \(location.folder.path); check --store and QUAKES_STORE, or create it with \
      "quakes workers start --store \(option)"
      """)
  }

  /// The store is not the one that the program opened.
  public static func lostStore(_ location: StoreLocation) -> Failure {
    Failure(
      .storeUnavailable, "the store in \(location.folder.path) was deleted, moved or replaced; restart the program")
  }

  /// Whether the store is one of another version of Quakes.
  public var isOfOtherVersion: Bool {
    cause.map { ($0 as NSError).code == NSPersistentStoreIncompatibleVersionHashError } ?? false
  }

  /// A failure of the store of the user's own data.
  public static func personal(_ location: StoreLocation, error: any Error) -> Failure {
    let reason = (error as NSError).localizedDescription
    let path = location.personalURL.path
    return Failure(
      .storeUnavailable,
      "cannot use the store of your places, marks and alerts\(reason.contains(path) ? "" : " \(path)"): \(reason)",
      cause: error)
  }

  /// Core Data's message usually names the operation, the file, the reason and a remedy.
  private static func store(_ tried: String, at location: StoreLocation, error: any Error) -> Failure {
    let reason = (error as NSError).localizedDescription
    let path = location.shownStore
    let subject = reason.contains(path) ? tried : "\(tried) \(path)"
    let isWhole = reason.hasPrefix("Cannot ") && reason.contains(path) && tried.hasPrefix("cannot ")
    let text = isWhole ? "cannot" + reason.dropFirst("Cannot".count) : "\(subject): \(reason)"
    guard let help = help(error as NSError) else { return Failure(.storeUnavailable, text, cause: error) }
    let sentence = text.hasSuffix(".") ? String(text.dropLast()) : text
    return Failure(.storeUnavailable, "\(sentence); \(help)", cause: error)
  }

  /// Advice that Core Data cannot give.
  private static func help(_ error: NSError) -> String? {
    guard error.domain == NSCocoaErrorDomain else { return nil }
    switch error.code {
    case CocoaError.Code.fileReadCorruptFile.rawValue: return "\"quakes-fetch --once all_week\" fills a new one"
    case CocoaError.Code.fileWriteVolumeReadOnly.rawValue:
      return "choose a folder on another disk with --store or QUAKES_STORE"
    case NSPersistentStoreIncompatibleVersionHashError:
      return """
        it belongs to another version of Quakes: if that is an older one, the worker migrates it ("quakes-fetch --once \
        all_day"), and otherwise use that version
        """
    default: return nil
    }
  }
}
