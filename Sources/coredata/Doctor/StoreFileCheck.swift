import Foundation
import StrataRowStore
import StrataSQLStore
import StrataSystemChecks

/// Whether this user can use the files of a store.
struct StoreFileCheck {
  let url: URL

  var findings: [Finding] {
    guard ModelLocation.isStore(url) else {
      return [Finding("store", .fail, "'\(url.path)' is not an SQLite database")]
    }
    return [contents] + files
  }

  private var contents: Finding {
    do {
      let facts = try StoreStatistics(of: url)
      let rows = facts.entities.reduce(0) { $0 + $1.rows }
      let text =
        "\(rows) objects, journal mode \(facts.journalMode), \(facts.history == nil ? "no history" : "history")"
      guard facts.keepsModel else {
        return Finding("store", .warn, "\(text), no copy of its model", advice: "pass --model to other commands")
      }
      return Finding("store", .ok, text)
    } catch let error as StoreError {
      return Finding("store", .fail, error.message)
    } catch {
      return Finding("store", .fail, "\(error)")
    }
  }

  /// The store and its journal files, which must have the same writers.
  private var files: [Finding] {
    let isWritable = access(url.path, W_OK) == 0
    return ["", "-wal", "-shm", "-turn", "-readers", "-notify"].compactMap { suffix in
      let path = url.path + suffix
      var status = stat()
      guard lstat(path, &status) == 0 else { return nil }
      let name = url.lastPathComponent + suffix
      let text = "\(name) (\(String(status.st_mode & 0o7777, radix: 8)))"
      if status.st_mode & S_IFMT == S_IFLNK, !suffix.isEmpty {
        return Finding("file", .fail, "\(name) is a symbolic link, which is not followed", advice: "remove it")
      }
      if access(path, R_OK) != 0 {
        return Finding(
          "file", .fail, "\(text) cannot be read", advice: "run \"chmod u+r\" on it, or change its owner")
      }
      if access(path, W_OK) != 0 {
        return suffix.isEmpty || !isWritable
          ? Finding("file", .warn, "\(text) cannot be written, so the store can only be read")
          : Finding(
            "file", .fail, "\(text) cannot be written, but the store can", advice: "change its owner to the store's")
      }
      return Finding("file", .ok, text)
    }
  }
}
