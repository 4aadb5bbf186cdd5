import ArgumentParser
import CoreData
import StrataQuakes

/// `quakes alert list`.
struct AlertList: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List the alerts.")

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var locationOptions: LocationOptions

  mutating func run() throws {
    let store = try PersonalReader(locationOptions)
    let refusal = store.location.alertRefusal
    try store.perform { context in
      let rules = store.exists ? try context.fetch(AlertRule.all()) : []
      if json {
        var text = JSONText()
        text.object { json in
          json.integer("format_version", 1)
          json.string("refusal", refusal)
          json.array("alerts") { array in for rule in rules { array.alert(rule) } }
        }
        try Output.line(OutputText(text.text))
        return
      }
      for rule in rules { try Output.line("\(rule.name ?? "?"): \(AlertText(rule).summary)") }
      if rules.isEmpty { StandardStream.error.line("quakes: there are no alerts; add one with \"quakes alert add\"") }
    }
    if let refusal { StandardStream.error.line("quakes: \(refusal)") }
  }
}
