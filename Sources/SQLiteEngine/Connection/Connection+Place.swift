import StrataCSQLite
import Foundation
import StrataRowStore
import StrataWriterLock

/// Which files a store consists of: those of the store itself and of its write-ahead log.
package struct StoreFiles: Sendable {
  /// The device and the number of a file; nil while there is none.
  private struct File: Equatable, Sendable {
    let device: dev_t
    let number: ino_t

    init?(_ path: String) {
      var found = stat()
      guard stat(path, &found) == 0 else { return nil }
      (device, number) = (found.st_dev, found.st_ino)
    }
  }

  private let path: String
  /// Made once: to join two texts takes longer than the question.
  private let logPath: String
  private let store: File?
  private let log: File?
  /// Whether the path leads to the store itself: its folder knows nothing of the place that a link leads to.
  private let isDirect: Bool
  /// The folder as it was when the files were last found in their places.
  private var checkedFolder: FolderState?

  /// The files that lie at a path now. They stay the same ones as long as somebody has the store open: whoever closes it
  /// last removes the log.
  package init(at path: String) {
    self.path = path
    logPath = path + "-wal"
    store = File(path)
    log = File(logPath)
    var own = stat()
    isDirect = lstat(path, &own) == 0 && own.st_ino == store?.number && own.st_dev == store?.device
  }

  /// The same as `loss`, without a question for each file while their folder stays as it is.
  package mutating func loss(in folder: FolderState?) -> StoreError? {
    if isDirect, folder != nil, folder == checkedFolder { return nil }
    if let loss { return loss }
    checkedFolder = folder
    return nil
  }

  /// What happened to the files that were opened; nil if they are still in their places.
  package var loss: StoreError? {
    let now = File(path)
    guard now != store || File(logPath) != log else { return nil }
    let (what, help) =
      switch (now, now == store) {
      case (nil, _): ("it was deleted or moved away", "Put it back, or open the store that is to be used instead")
      case (_, false): ("another file was put in its place", "Open it again to use that one")
      case (_, true): ("its file '-wal', which has what was saved last, was removed or replaced", "Put that back")
      }
    return StoreError(
      .notOpen,
      "The store '\(path)' is no longer the one that was opened: \(what) meanwhile. Nothing was written. \(help).")
  }
}
