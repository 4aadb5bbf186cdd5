import StrataManagedModel

/// What a reader of a model passed over, and where.
package struct ModelWarning: Hashable, Sendable, CustomStringConvertible {
  package var file: String
  /// Counted from 1; 0 where the file has no lines.
  package var line: Int
  package var text: String

  package init(file: String, line: Int = 0, _ text: String) {
    self.file = file
    self.line = line
    self.text = text
  }

  /// As compilers say it: `file:line: warning: text`.
  package var description: String { "\(file):\(line > 0 ? "\(line):" : "") warning: \(text)" }
}
