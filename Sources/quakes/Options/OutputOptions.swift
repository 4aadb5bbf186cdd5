import ArgumentParser
import StrataQuakes

/// The output's style.
struct OutputOptions: ParsableArguments {
  @Option(help: "Colour: auto, always or never.")
  var color = Color.auto

  @Flag(help: "The same as --color=never.")
  var noColor = false

  var terminal: Terminal { Terminal(color: noColor ? .never : color.choice) }

  enum Color: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never

    var choice: Terminal.ColorChoice {
      switch self {
      case .auto: .auto
      case .always: .always
      case .never: .never
      }
    }
  }
}
