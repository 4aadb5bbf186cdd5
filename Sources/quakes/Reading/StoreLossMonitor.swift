import StrataQuakes

/// Notices that an open store is deleted, moved away or replaced: nothing more comes from it then.
@MainActor
final class StoreLossMonitor {
  private var watch: FolderWatch?

  /// - Parameter onLoss: takes the failure to end with.
  init(_ location: StoreLocation, onLoss: @escaping @MainActor @Sendable (Failure) -> Void) {
    let store = location.identity
    watch = FolderWatch(location.folder.path) {
      guard location.identity != store else { return }
      onLoss(Failure.lostStore(location))
    }
  }
}
