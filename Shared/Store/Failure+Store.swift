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

  /// There is no store yet; only the worker creates one.
  public static func noStore(_ location: StoreLocation) -> Failure {
    Failure(
      .storeUnavailable,
      "there is no store in \(location.folder.path) yet; run \"quakes workers start\", or \"quakes-fetch --once all_day\""
    )
  }

  /// Core Data's message says why, and mostly where and what would help.
  private static func store(_ tried: String, at location: StoreLocation, error: any Error) -> Failure {
    let reason = (error as NSError).localizedDescription
    let place = reason.contains(location.storeURL.path) ? tried : "\(tried) \(location.storeURL.path)"
    let help = reason.contains(";") ? nil : help(error as NSError, at: location)
    let parts = ["\(place): \(reason)", help].compactMap { $0 }
    return Failure(.storeUnavailable, parts.joined(separator: "; "), cause: error)
  }

  private static func help(_ error: NSError, at location: StoreLocation) -> String? {
    guard error.domain == NSCocoaErrorDomain else { return nil }
    switch error.code {
    case CocoaError.Code.fileReadCorruptFile.rawValue:
      return "move the file away and run \"quakes-fetch --once all_week\" to create a new one"
    case CocoaError.Code.fileWriteOutOfSpace.rawValue:
      return "free some space on the disk of \(location.folder.path)"
    case CocoaError.Code.fileReadNoPermission.rawValue, CocoaError.Code.fileWriteNoPermission.rawValue:
      return "check the owner and permissions of \(location.folder.path) and its files"
    case CocoaError.Code.fileWriteVolumeReadOnly.rawValue:
      return "choose a folder on another disk with --store or QUAKES_STORE"
    case NSPersistentStoreIncompatibleVersionHashError:
      return "it belongs to another version of Quakes; use that version, or move the file away"
    default: return nil
    }
  }
}
