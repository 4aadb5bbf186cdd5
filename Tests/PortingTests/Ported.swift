import StrataPorting
import Testing

/// A source after porting.
struct Ported {
  let text: String
  /// The places that need manual changes, as `line: reason (section)`.
  let remarks: [String]

  /// - Parameters:
  ///   - source: the file that is ported.
  ///   - others: the module's other files.
  ///   - models: names in the module's models.
  init(_ source: String, with others: [String] = [], models: Set<String> = []) {
    let files = ([source] + others).enumerated().map { (path: "\($0).swift", bytes: Array($1.utf8)) }
    let file = PortedModule(files, modelNames: models).files[0]
    text = String(decoding: file.result, as: UTF8.self)
    remarks = file.remarks.map { "\($0.line): \($0.reason)" + ($0.section.map { " (\($0.rawValue))" } ?? "") }
  }
}

/// A text before and after porting.
struct Example: Sendable, CustomTestStringConvertible {
  var before: String
  var after: String
  var testDescription: String { before }

  init(_ before: String, _ after: String) { (self.before, self.after) = (before, after) }

  init(unchanged text: String) { self.init(text, text) }
}
