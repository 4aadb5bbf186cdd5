/// An event of a file in a watched folder, or of the watch itself. Raw values are the kernel's (inotify(7)).
package struct FolderChange: OptionSet, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let modified = FolderChange(rawValue: 0x2)
  package static let attributes = FolderChange(rawValue: 0x4)
  package static let closedAfterWriting = FolderChange(rawValue: 0x8)
  package static let movedFrom = FolderChange(rawValue: 0x40)
  package static let movedTo = FolderChange(rawValue: 0x80)
  package static let created = FolderChange(rawValue: 0x100)
  package static let deleted = FolderChange(rawValue: 0x200)
  package static let folderDeleted = FolderChange(rawValue: 0x400)
  package static let folderMoved = FolderChange(rawValue: 0x800)
  /// The queue overflowed, so events were lost.
  package static let overflowed = FolderChange(rawValue: 0x4000)
  /// The watch ended: it was removed, or its file or file system disappeared.
  package static let watchEnded = FolderChange(rawValue: 0x8000)

  /// The events that folders are watched for. Never `.modified`: a commit of 20 pages would cause 39 wake-ups.
  package static let ofFolders: FolderChange = [
    .attributes, .closedAfterWriting, .created, .movedTo, .movedFrom, .deleted, .folderDeleted, .folderMoved,
  ]
}

/// One event: its watch, what happened, and the file's name in the folder (empty for the watched item itself).
package struct FolderEvent: Sendable {
  package var watch: Int32
  package var change: FolderChange
  package var name: String

  package init(watch: Int32, change: FolderChange, name: String = "") {
    self.watch = watch
    self.change = change
    self.name = name
  }
}

package enum WatchTarget {
  case folder
  case file

  /// A folder must be a folder; the path of a file must not be a link.
  var flags: UInt32 {
    switch self {
    case .folder: 0x0100_0000
    case .file: 0x0200_0000
    }
  }
}

/// The source of the watcher's events. Used only on the watcher's thread.
package protocol FolderEventSource: AnyObject {
  /// Readable while events are pending.
  var descriptor: Int32 { get }
  /// Watches `name` in `folder`, or the folder itself.
  /// - Returns: the watch's number, the same for the same file.
  /// - Throws: `SignalError`.
  func watch(_ target: WatchTarget, folder: String, name: String, for changes: FolderChange) throws -> Int32
  func unwatch(_ watch: Int32)
  /// The next pending event; nil if no event is pending. Never blocks.
  /// - Throws: `SignalError` if no more events can arrive.
  func next() throws -> FolderEvent?
}
