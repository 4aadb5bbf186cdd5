import Foundation
import StrataRowStore
import StrataSQLiteEngine
import StrataSharing
import StrataSupport

/// Watches over a store's files while it is followed. Costs one system call while nothing in their folder changes.
struct FileLocation: Sendable {
  private let path: String
  private let folder: String
  private var files: StoreFiles
  /// The folder's state at the last check.
  private var checked: FolderState?

  init(_ path: String, _ files: StoreFiles) {
    (self.path, self.files) = (path, files)
    folder = (path as NSString).deletingLastPathComponent
  }

  /// Has readers fail while the store's files are not those that were opened.
  mutating func check(_ readers: ReaderPool) {
    let now = FolderState(of: folder)
    if now != nil, now == checked { return }
    reportOthers()
    do {
      try files.check(in: now)
      readers.loss = nil
      checked = now
    } catch {
      // If the system does not tell, what is known stays.
      if error.code == .notOpen { readers.loss = error }
    }
  }

  /// Warns, once, about something else at the path of a file through which processes find each other. Commits still
  /// arrive without these files: later, or after a purge of what was not merged yet.
  private func reportOthers() {
    for (ending, consequence) in [
      ("-notify", "other processes may notice commits late"),
      ("-readers", "a purge of the history may remove what this process has not merged yet"),
    ] {
      var found = stat()
      guard lstat(path + ending, &found) == 0, let kind = FileKind.other(found) else { continue }
      Diagnostics.warnOnce(
        "'\(path)\(ending)' is \(kind), not a file: \(consequence). Remove it, and a new file is created.")
    }
  }
}
