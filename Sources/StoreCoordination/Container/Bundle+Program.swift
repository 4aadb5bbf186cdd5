import Foundation

extension Bundle {
  /// Where a program's models and mapping models lie: its own folder, the resources of its targets beside it, and what it
  /// has loaded. Foundation's `allBundles` leaves out the first two on Linux.
  static var ofTheProgram: [Bundle] {
    [main] + resources(beside: main.bundleURL) + allBundles.filter { $0 != main }
  }

  /// The resources of SwiftPM targets in the folder of a program.
  static func resources(beside folder: URL) -> [Bundle] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".resources") }.sorted()
      .compactMap { Bundle(url: folder.appendingPathComponent($0)) }
  }
}
