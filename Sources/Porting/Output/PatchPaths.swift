import Foundation

/// The paths of a diff, relative to the folder in which it can be applied.
struct PatchPaths {
  /// The paths in the order of the files.
  let paths: [String]

  /// `git apply` and `patch` refuse absolute paths and those with `..`: with files outside of the working directory, all
  /// paths are relative to `/`.
  init(_ files: [String], workingDirectory: String) {
    let directory = URL(fileURLWithPath: workingDirectory, isDirectory: true)
    let folder = directory.resolvingSymlinksInPath().path
    let prefix = folder == "/" ? folder : folder + "/"
    // They refuse links too.
    let absolute = files.map { URL(fileURLWithPath: $0, relativeTo: directory).resolvingSymlinksInPath().path }
    let isInside = absolute.allSatisfy { $0.hasPrefix(prefix) }
    paths = absolute.map { String($0.dropFirst(isInside ? prefix.count : 1)) }
  }
}
