/// A part of a model that its reader skipped, and its location.
package struct ModelWarning: Hashable, Sendable, CustomStringConvertible {
  package var file: String
  /// Starts at 1; 0 if the file has no lines.
  package var line: Int
  package var text: String

  package init(file: String, line: Int = 0, _ text: String) {
    self.file = file
    self.line = line
    self.text = text
  }

  /// In the format of compilers: `file:line: warning: text`.
  package var description: String { "\(file):\(line > 0 ? "\(line):" : "") warning: \(text)" }
}
