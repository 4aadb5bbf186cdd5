/// The reason a file cannot be used: the location and the expected content.
package struct FileFormatError: Error, Hashable, Sendable, CustomStringConvertible {
  package var file: String
  /// Starts at 1; 0 if the file has no lines.
  package var line: Int
  package var problem: String

  package init(file: String, line: Int = 0, _ problem: String) {
    self.file = file
    self.line = line
    self.problem = problem
  }

  /// In compiler format: `file:line: error: problem`.
  package var description: String { "\(file):\(line > 0 ? "\(line):" : "") error: \(problem)" }
}
