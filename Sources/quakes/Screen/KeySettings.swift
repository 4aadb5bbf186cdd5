import StrataQuakes
import StrataQuakesConfig
import StrataQuakesScreen

/// The table `[keys]` of the settings, read: the keys of commands, and what is wrong with them.
struct KeySettings {
  /// Where a mistake is, as `keys.NAME`, and the rest of the sentence about it.
  struct Mistake {
    var name: String
    var text: String
  }

  /// A setting's name and its keys.
  private typealias Choice = (name: String, keys: [Key])

  /// These are signals, and do the same without a binding.
  private static let signals: [ScreenCommand: Key] = [.quit: .control("c"), .suspend: .control("z")]

  private var chosen: [ScreenCommand: Choice] = [:]
  private(set) var mistakes: [Mistake] = []

  /// - Parameter settings: the keys as they are written, by the names of commands.
  init(_ settings: [String: [String]]) {
    for (name, words) in settings.sorted(by: { $0.key < $1.key }) { read(name, words) }
  }

  private mutating func report(_ name: String, _ text: String) { mistakes.append(Mistake(name: name, text: text)) }

  private mutating func read(_ name: String, _ words: [String]) {
    guard let command = ScreenCommand(named: name) else {
      let names = ScreenCommand.allCases.map(\.rawValue)
      let guess = Suggestion.sentence(Suggestion.spelled(name, among: names))
      return report(
        name, "is not a command;\(guess) \(guess.isEmpty ? "the" : "The") commands are \(names.joined(separator: ", "))"
      )
    }
    if let other = chosen[command] {
      return report(name, "and keys.\(other.name) are the same command; remove one of them")
    }
    chosen[command] = (name, words.compactMap { key($0, of: name) })
  }

  private mutating func key(_ word: String, of name: String) -> Key? {
    guard let key = Key(name: word) else {
      report(
        name, "must be keys such as \"q\", \"Enter\", \"Space\", \"Ctrl-L\", \"PgDn\" or \"Left\", not \"\(word)\"")
      return nil
    }
    guard !Self.signals.values.contains(key) else {
      report(name, "cannot be \(key.name), which is a signal")
      return nil
    }
    return key
  }

  /// Gives commands their keys, and takes these from others.
  ///
  /// - Parameter bindings: those of each kind of view.
  mutating func apply(to bindings: inout [ScreenKind: [KeyBinding]]) {
    var reported = Set<String>()
    for kind in ScreenKind.allCases {
      for mistake in apply(to: &bindings[kind, default: []], of: kind) where reported.insert(mistake.name).inserted {
        mistakes.append(mistake)
      }
    }
  }

  private func apply(to bindings: inout [KeyBinding], of kind: ScreenKind) -> [Mistake] {
    let place = kind == .detail ? "the details" : "the \(kind.rawValue)"
    var mistakes: [Mistake] = []
    var owners: [Key: String] = [:]
    for binding in bindings {
      guard let (name, keys) = chosen[binding.command] else { continue }
      for key in Set(keys) {
        if let other = owners[key] {
          mistakes.append(Mistake(name: name, text: "and keys.\(other) are both \"\(key.name)\" in \(place)"))
        }
        owners[key] = name
      }
    }
    for index in bindings.indices {
      let command = bindings[index].command
      if let keys = chosen[command]?.keys {
        bindings[index].keys = keys + (Self.signals[command].map { [$0] } ?? [])
        continue
      }
      let former = bindings[index].keys
      bindings[index].keys.removeAll { owners[$0] != nil }
      if bindings[index].keys.isEmpty, let key = former.first, let name = owners[key] {
        let taken = "takes \"\(key.name)\", the only key of \(command.rawValue) in \(place)"
        mistakes.append(Mistake(name: name, text: "\(taken); set keys.\(command.rawValue) too"))
      }
    }
    return mistakes
  }
}
