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
  /// The usual keys with those of the settings: a key that the settings give to one command is taken from the others.
  ///
  /// - Throws: `Failure` with status 78 if they have unknown commands or keys, or a key has two commands in a view.
  init(_ settings: Settings) throws(Failure) {
    var (keys, bindings) = (KeySettings(settings.keys), Self.standard.bindings)
    keys.apply(to: &bindings)
    self.bindings = bindings
    guard !keys.mistakes.isEmpty else { return }
    let places = try settings.file.lines()
    let texts = keys.mistakes.map { "keys.\($0.name)\(places.lineText(of: ["keys", $0.name])) \($0.text)" }
    throw Failure(.configuration, "\(settings.file.url.path): \(texts.joined(separator: "; "))")
  }
}
