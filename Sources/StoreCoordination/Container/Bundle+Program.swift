import Foundation

extension Bundle {
  /// The location of a program's models and mapping models: its own folder, the resources of its targets next to it, and
  /// in the bundles it has loaded. On Linux, Foundation's `allBundles` omits the first two.
  static var ofTheProgram: [Bundle] {
    [main] + resources(beside: main.bundleURL) + allBundles.filter { $0 != main }
  }

  /// The resource bundles of SwiftPM targets in a program's folder.
  static func resources(beside folder: URL) -> [Bundle] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".resources") }.sorted()
      .compactMap { Bundle(url: folder.appendingPathComponent($0)) }
  }
}

extension Bundle {
  // Its first argument is not optional: so it is the better match where Foundation's own, which returns `NSURL`s, would do too.
  /// Returns the URLs of all resources with an extension, for a localization.
  public func urls(
    forResourcesWithExtension ext: String, subdirectory subpath: String?, localization localizationName: String?
  ) -> [URL]? {
    let urls: [NSURL]? = urls(
      forResourcesWithExtension: Optional(ext), subdirectory: subpath, localization: localizationName)
    return urls?.map { $0 as URL }
  }
}
