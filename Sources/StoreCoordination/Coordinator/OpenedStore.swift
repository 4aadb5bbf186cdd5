import Foundation
import StrataObjectGraph
import StrataRowStore
import StrataSupport

/// A back end, opened as a store's options ask.
struct OpenedStore {
  let backEnd: any BackEnd
  /// Follows the commits of all processes; nil without history.
  let commitMonitor: CommitMonitor?
  let type: String
  let url: URL?
  let isReadOnly: Bool

  /// Opens a store.
  /// - Throws: `CocoaError` 134000 for an unknown type, 134100 for a store of another model, 256…640 for file system
  ///   errors.
  init(_ request: OpenRequest) throws {
    (type, url) = (request.type, request.url)
    // Needed by every type of store: predicates evaluated in memory meet its rows too.
    _ = TransformedValue.isReadable
    let driver = try StoreDrivers.driver(ofType: type)
    do {
      backEnd = try driver.open(request)
    } catch let error as StoreError {
      throw CocoaError(error, opening: request)
    }
    commitMonitor = backEnd.historyKeeping.map { CommitMonitor(of: $0, at: request.url) }
    let reason = backEnd.readOnlyReason
    isReadOnly = request.options.isReadOnly || reason != nil
    if case .historyNotTracked = reason {
      Diagnostics.warn(
        "Store opened without NSPersistentHistoryTrackingKey but previously had been opened with "
          + "NSPersistentHistoryTrackingKey - Forcing into Read Only mode store at '\(url?.shownURL ?? "")'")
    }
  }
}
