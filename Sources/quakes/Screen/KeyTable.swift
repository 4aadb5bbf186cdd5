import StrataQuakes
import StrataQuakesConfig
import StrataQuakesScreen

/// The keys of each view. The foot of the screen, the help and the handling of keys are made of the same table.
struct KeyTable: Sendable {
  static let standard = KeyTable()

  private let bindings: [ScreenKind: [KeyBinding]]

  private init() {
    bindings = Dictionary(
      uniqueKeysWithValues: ScreenKind.allCases.map { kind in
        (kind, KeyBinding.standard.filter { $0.kinds.contains(kind) })
      })
  }

  /// Those with keys.
  func bindings(in kind: ScreenKind) -> [KeyBinding] { bindings[kind, default: []].filter { !$0.keys.isEmpty } }

  func binding(of key: Key, in kind: ScreenKind) -> KeyBinding? {
    bindings[kind]?.first { $0.keys.contains(key) }
  }

  /// The name of the first key of a command; nil without one.
  func name(of command: ScreenCommand, in kind: ScreenKind) -> String? {
    bindings[kind]?.first { $0.command == command }?.keys.first?.name
  }

  /// The keys that the foot names, and what they do.
  ///
  /// - Parameters:
  ///   - newCount: how many new earthquakes there are to go to.
  ///   - isFiltered: whether there is a filter to take away.
  func foot(of kind: ScreenKind, newCount: Int, isFiltered: Bool) -> [(key: String, word: String)] {
    let useless: [ScreenCommand] = (newCount > 0 ? [] : [.nextNew]) + (isFiltered ? [] : [.clear])
    return bindings(in: kind).filter { !useless.contains($0.command) }.compactMap { binding in
      guard let word = binding.foot, let key = binding.keys.first else { return nil }
      return (key.name, binding.command == .nextNew ? "\(newCount) \(word)" : word)
    }
  }
}

// MARK: - The settings

extension KeyTable {
  /// These are signals, and do the same without a binding.
  private static let signals: [ScreenCommand: Key] = [.quit: .control("c"), .suspend: .control("z")]

  /// The usual keys with those of the settings: a key that the settings give to one command is taken from the others.
  ///
  /// - Throws: `Failure` with status 78 if they have unknown commands or keys, or a key has two commands in a view.
  init(_ settings: Settings) throws(Failure) {
    guard !settings.keys.isEmpty else {
      self = .standard
      return
    }
    let places = try settings.file.lines()
    var mistakes: [String] = []
    func report(_ name: String, _ text: String) {
      mistakes.append("keys.\(name)\(places.lineText(of: ["keys", name])) \(text)")
    }
    var chosen: [ScreenCommand: (name: String, keys: [Key])] = [:]
    for (name, words) in settings.keys.sorted(by: { $0.key < $1.key }) {
      guard let command = ScreenCommand(named: name) else {
        let names = ScreenCommand.allCases.map(\.rawValue)
        let guess = Suggestion.sentence(Suggestion.spelled(name, among: names))
        report(
          name,
          "is not a command;\(guess) \(guess.isEmpty ? "the" : "The") commands are \(names.joined(separator: ", "))")
        continue
      }
      var keys: [Key] = []
      for word in words {
        switch Key(name: word) {
        case let key? where Self.signals.values.contains(key): report(name, "cannot be \(key.name), which is a signal")
        case let key?: keys.append(key)
        case nil:
          report(
            name, "must be keys such as \"q\", \"Enter\", \"Space\", \"Ctrl-L\", \"PgDn\" or \"Left\", not \"\(word)\"")
        }
      }
      chosen[command] = (name, keys)
    }
    var (bindings, reported) = (Self.standard.bindings, Set<String>())
    for kind in ScreenKind.allCases {
      for mistake in Self.apply(chosen, to: &bindings[kind, default: []], of: kind)
      where reported.insert(mistake.name).inserted {
        report(mistake.name, mistake.text)
      }
    }
    guard mistakes.isEmpty else {
      throw Failure(.configuration, "\(settings.file.url.path): \(mistakes.joined(separator: "; "))")
    }
    self.bindings = bindings
  }

  /// - Returns: for each mistake the setting, and what is wrong with it.
  private static func apply(
    _ chosen: [ScreenCommand: (name: String, keys: [Key])], to bindings: inout [KeyBinding], of kind: ScreenKind
  ) -> [(name: String, text: String)] {
    let place = kind == .detail ? "the details" : "the \(kind.rawValue)"
    var mistakes: [(name: String, text: String)] = []
    var owners: [Key: String] = [:]
    for binding in bindings {
      guard let (name, keys) = chosen[binding.command] else { continue }
      for key in Set(keys) {
        if let other = owners[key] { mistakes.append((name, "and keys.\(other) are both \"\(key.name)\" in \(place)")) }
        owners[key] = name
      }
    }
    for index in bindings.indices {
      let command = bindings[index].command
      if let keys = chosen[command]?.keys {
        bindings[index].keys = keys + (signals[command].map { [$0] } ?? [])
      } else {
        let former = bindings[index].keys
        bindings[index].keys.removeAll { owners[$0] != nil }
        if bindings[index].keys.isEmpty, let key = former.first, let name = owners[key] {
          mistakes.append(
            (
              name,
              "takes \"\(key.name)\", the only key of \(command.rawValue) in \(place); set keys.\(command.rawValue) too"
            ))
        }
      }
    }
    return mistakes
  }
}
