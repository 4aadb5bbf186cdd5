import StrataQuakes

extension SettingsFile {
  /// A file without settings: each setting with its default, as a comment.
  public static var sample: String {
    var lines = [
      "# The settings of Quakes. Remove the # before a line to set it; \"quakes config check\" checks the file.", "",
    ]
    var table = ""
    for row in Settings.all {
      if row.table != table { lines += table.isEmpty ? ["[\(row.table)]"] : ["", "[\(row.table)]"] }
      table = row.table
      lines += Self.lines(of: row)
    }
    lines += ["", "# \(filterHelp(name: "big"))", "#[filter.big]"]
    for word in Settings.filterWords { lines += Self.lines(of: word) }
    lines += ["", "# \(viewHelp)", "#[views]"] + sampleViews.map { "#" + $0.line }
    lines += ["", "# \(keyHelp)", "#[keys]"] + sampleKeys.map { "#" + $0 }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(of row: any SettingRow) -> [String] {
    ["# \(explanation(of: row))", "#\(row.name) = \(row.example)"]
  }

  /// A setting's description, its accepted values unless they are obvious, and the variables that override it.
  static func explanation(of row: any SettingRow) -> String {
    let choice = row.wanted.contains("\"") || row.wanted.hasPrefix("one of") ? " \(capitalized(row.wanted))." : ""
    let variables = row.variables.map { "$\($0.name)" }.joined(separator: ", ")
    let override = row.variables.isEmpty ? "" : " Overridden by \(variables)."
    return "\(row.help)\(choice)\(override)"
  }

  private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
