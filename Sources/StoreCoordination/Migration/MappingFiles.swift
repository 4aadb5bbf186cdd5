import Foundation
import StrataManagedModel
import Synchronization

/// The mapping models in files of the program, each decoded once: a migration looks for its mapping model several times,
/// among all files, and decoding one takes milliseconds.
enum MappingFiles {
  /// The identity of a file's contents. A file that is written or replaced has another one.
  private struct Version: Equatable {
    let device: dev_t
    let number: ino_t
    let size: off_t
    let seconds: Int
    let nanoseconds: Int

    /// - Returns: nil if the file does not exist.
    init?(of path: String) {
      var found = stat()
      guard stat(path, &found) == 0 else { return nil }
      (device, number, size) = (found.st_dev, found.st_ino, found.st_size)
      (seconds, nanoseconds) = (found.st_mtim.tv_sec, found.st_mtim.tv_nsec)
    }
  }

  private struct Known: Sendable {
    /// nil for contents that the program embeds.
    let version: Version?
    // Callers get copies, so these never change.
    let mappings: [NSEntityMapping]
  }
  private static let known = Mutex<[String: Known]>([:])

  /// Returns copies of a file's mappings if they lead from one model to another, by the version hashes of their entities;
  /// nil if they do not, and for a file that cannot be read.
  static func mappings(at url: URL, where leads: (NSEntityMapping) -> Bool) -> [NSEntityMapping]? {
    if let file = CarriedFile.at(url) { return mappings(in: file, where: leads) }
    let path = NSMappingModel.file(at: url).path
    guard let version = Version(of: path) else { return nil }
    return chosen(path, version, where: leads) { try NSMappingModel.mappings(at: url) }
  }

  /// Returns copies of an embedded file's mappings, as for a file.
  static func mappings(in file: CarriedFile, where leads: (NSEntityMapping) -> Bool) -> [NSEntityMapping]? {
    chosen("\(file.module)/\(file.path)", nil, where: leads) {
      try NSMappingModel.mappings(in: file.bytes, file: file.path)
    }
  }

  private static func chosen(
    _ key: String, _ version: Version?, where leads: (NSEntityMapping) -> Bool,
    read: () throws -> [NSEntityMapping]
  ) -> [NSEntityMapping]? {
    var mappings: [NSEntityMapping]
    if let found = known.withLock({ $0[key] }), found.version == version {
      mappings = found.mappings
    } else {
      guard let new = try? read() else { return nil }
      mappings = new
      known.withLock { $0[key] = Known(version: version, mappings: new) }
    }
    guard !mappings.isEmpty, mappings.allSatisfy(leads) else { return nil }
    return mappings.map { $0.makeCopy() }
  }
}
