/// What happened to a file in a watched folder, or to the watch itself. Raw values are the kernel's (inotify(7)).
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
  /// Events were lost: the queue was full.
  package static let overflowed = FolderChange(rawValue: 0x4000)
  /// The watch is gone: removed by us, or its file or file system went.
  package static let watchEnded = FolderChange(rawValue: 0x8000)

  /// What a folder is watched for. Never `.modified`: a commit of 20 pages would wake everybody 39 times.
  package static let ofFolders: FolderChange = [
    .attributes, .closedAfterWriting, .created, .movedTo, .movedFrom, .deleted, .folderDeleted, .folderMoved,
  ]
}

/// One event: which watch, what happened, and to which file of the folder (empty: to the watched thing itself).
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

/// What may be watched.
package enum WatchTarget {
  case folder
  case file
}

/// Where the watcher's events come from. Used on the watcher's thread alone.
package protocol FolderEventSource: AnyObject {
  /// Readable when events wait.
  var descriptor: Int32 { get }
  /// Watches `name` in `folder`, or the folder itself; answers the watch's number, the same one for the same file.
  /// - Throws: `SignalError`.
  func watch(_ target: WatchTarget, folder: String, name: String, for changes: FolderChange) throws -> Int32
  func unwatch(_ watch: Int32)
  /// The next event that waits, nil when none does. Never blocks.
  /// - Throws: `SignalError` when no event will come any more.
  func next() throws -> FolderEvent?
}
