import Foundation

extension Bundle {
  // An argument that is no optional makes this the better match where Foundation's own, which answers `NSURL`s, would do too.
  /// Returns the URLs of all resources with an extension, for a localization.
  public func urls(
    forResourcesWithExtension ext: String, subdirectory subpath: String?, localization localizationName: String?
  ) -> [URL]? {
    let urls: [NSURL]? = urls(
      forResourcesWithExtension: Optional(ext), subdirectory: subpath, localization: localizationName)
    return urls?.map { $0 as URL }
  }
}
