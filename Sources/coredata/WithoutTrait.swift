#if !DeveloperTool
import Foundation

/// The tool without its commands, which are in the trait that fetches their parser.
@main
enum Tool {
  static func main() {
    FileHandle.standardError.write(
      Data(
        """
        coredata: built without the trait DeveloperTool. Add it where your Package.swift names this package: \
        traits: ["DeveloperTool"]. In that package itself, run: swift run --traits DeveloperTool coredata

        """.utf8))
    exit(2)
  }
}
#endif
