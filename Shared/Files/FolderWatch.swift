import Dispatch
import Foundation

/// Tells on the main queue what `FolderMonitor` notices.
@MainActor
public final class FolderWatch {
  private let source: any DispatchSourceRead

  /// - Parameter file: the path of a file that is watched too, as by `FolderMonitor`.
  /// - Returns: nil if the system cannot watch it.
  public init?(_ path: String, file: String? = nil, onChange: @escaping @MainActor @Sendable () -> Void) {
    guard let events = FolderMonitor(path, file: file) else { return nil }
    source = DispatchSource.makeReadSource(fileDescriptor: events.descriptor, queue: .main)
    source.setEventHandler {
      events.drain()
      MainActor.assumeIsolated(onChange)
    }
    // Its descriptor stays open until the source has ended.
    source.setCancelHandler { withExtendedLifetime(events) {} }
    source.activate()
  }

  public func cancel() { source.cancel() }
}
