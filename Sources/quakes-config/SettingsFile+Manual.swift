import StrataQuakes

extension SettingsFile {
  /// The manual's introduction.
  public static let about = """
    The command line overrides the environment, which overrides the file, which overrides the defaults. The file is \
    $QUAKES_CONFIG, else quakes/config.toml in $XDG_CONFIG_HOME or in ~/.config.
    """

  /// The manual page quakes-config(5), as mdoc(7), without its date, which comes first.
  public static var manual: String {
    var lines = [
      ".Dt QUAKES-CONFIG 5", ".Os", ".Sh NAME", ".Nm quakes-config", ".Nd settings of Quakes", ".Sh DESCRIPTION",
      Mdoc.text(about), "It is TOML 1.0.", ".Dq quakes config edit", "creates one that explains each setting,",
      ".Dq quakes config check", "reports mistakes in it.",
    ]
    var table = ""
    for row in Settings.all {
      if row.table != table { lines += (table.isEmpty ? [] : [".El"]) + Mdoc.list("[\(row.table)]") }
      table = row.table
      lines += item(of: row)
    }
    lines += [".El"] + Mdoc.list("[filter.NAME]", about: filterHelp(name: "NAME"))
    for word in Settings.filterWords { lines += item(of: word) }
    lines += [".El"] + Mdoc.list("[views]", about: viewHelp)
    for view in sampleViews { lines += [".It Cm \(Mdoc.text(view.name))", "For example: \(Mdoc.text(view.line))"] }
    lines += [".El"] + Mdoc.list("[keys]", about: keyHelp)
    lines += sampleKeys.map { ".It Cm \(Mdoc.text($0))" }
    lines += [
      ".El", ".Sh SEE ALSO", ".Xr quakes 1 ,", ".Xr quakes-config 1 ,", ".Xr quakes-fetch 1 ,", ".Xr quakes-summary 1",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  static let viewHelp =
    "A view for --view and the number keys of the live screen: a filter as it is typed there, also with an order."

  static let sampleViews = [
    SavedView("big", filter: "mag>=6 since:30d"),
    SavedView("deep", filter: "depth>=300 -type:explosion", order: .depth, isReversed: true),
  ]

  static let keyHelp =
    "The keys of a command of the live screen: one, or a list. \"quakes config print\" shows all commands and their keys."

  static let sampleKeys = [#"star = "f""#, #"page_down = ["Space", "Ctrl-D"]"#]

  static func filterHelp(name: String) -> String {
    "A named filter, for --filter \(name). Its settings have the names of the options."
  }

  private static func item(of row: any SettingRow) -> [String] {
    let value = row.defaultValue == nil ? "For example" : "Default"
    return [
      ".It Cm \(Mdoc.text(row.name))", Mdoc.text(explanation(of: row)), ".br",
      "\(value): \(Mdoc.text("\(row.name) = \(row.example)"))",
    ]
  }
}

/// The markup of manual pages: https://mandoc.bsd.lv/man/mdoc.7.html
private enum Mdoc {
  /// The head of a list of settings.
  static func list(_ title: String, about text: String? = nil) -> [String] {
    [".Ss \(title)\\&"] + (text.map { [Mdoc.text($0)] } ?? []) + [".Bl -tag -width 4n"]
  }

  /// Text in which no character means something else, and whose hyphens can be searched for; a sentence a line.
  static func text(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing(". ", with: ".\n")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
