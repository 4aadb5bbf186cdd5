import Foundation

/// The program's code in memory. A start runs through much of it, and the kernel maps 64 KiB around each page that is
/// touched; a follower then needs little of it, once in a minute.
enum CodePages {
  /// Unmaps the pages of code: what runs again comes back from the system's cache. What cannot be read stays mapped.
  static func giveBack() {
    guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else { return }
    for line in maps.split(separator: "\n") {
      // Code only: pages that are read may hold addresses that the file does not have.
      let words = line.split(separator: " ", maxSplits: 5)
      guard words.count == 6, words[1] == "r-xp", words[5].contains("/") else { continue }
      let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard ends.count == 2 else { continue }
      madvise(UnsafeMutableRawPointer(bitPattern: ends[0]), Int(ends[1] - ends[0]), MADV_DONTNEED)
    }
  }
}
