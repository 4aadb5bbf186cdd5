import Foundation

/// Where the Reference store is. It ships with the programs, which work without it too.
public struct ReferenceLocation: Equatable, Sendable {
  public static let fileName = "Reference.sqlite"

  public var url: URL

  public init(url: URL) {
    self.url = url
  }

  /// The file that `QUAKES_REFERENCE` names, else the first of: in the program's folder, in `../share/quakes` from there,
  /// and in `quakes` in the folders of `XDG_DATA_DIRS`.
  ///
  /// - Returns: nil if none exists. A named file is returned even if it is missing; opening it then reports the error.
  public static func find(
    program: String = "/proc/self/exe", environment: (String) -> String? = Environment.variable
  ) -> ReferenceLocation? {
    if let path = environment("QUAKES_REFERENCE"), !path.isEmpty {
      return ReferenceLocation(url: URL(fileURLWithPath: path))
    }
    let own = URL(fileURLWithPath: program).resolvingSymlinksInPath().deletingLastPathComponent().path
    let data = environment("XDG_DATA_DIRS").flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
    // The base directory specification has relative folders ignored.
    let shared = data.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/quakes" }
    let paths: [String] = ([own, own + "/../share/quakes"] + shared).map { "\($0)/\(fileName)" }
    return paths.first { access($0, F_OK) == 0 }
      .map { ReferenceLocation(url: URL(fileURLWithPath: $0).standardizedFileURL) }
  }
}

extension Failure {
  /// The Reference store cannot be used, or a part of it cannot be read; what else the programs do needs none.
  public static func reference(_ location: ReferenceLocation, error: any Error) -> Failure {
    let path = location.url.path
    let reason = access(path, R_OK) == 0 ? (error as NSError).localizedDescription : systemError()
    return Failure(
      .storeUnavailable,
      """
      cannot use the Reference store \(path), so nearest cities, regions and coastlines are unavailable: \(reason); \
      build it with "sh Shared/Reference/build.sh FOLDER", or set QUAKES_REFERENCE to another one
      """, cause: error)
  }
}
