/// Mangles declarations the way the compiler does.
///
/// The rules are those of Swift's ABI (docs/ABI/Mangling.rst): repeated names and types are written as `A` and a
/// letter, repeated words within names as a letter, and non-ASCII names in Punycode.
struct Mangler {
  var bytes = Array("$s".utf8)

  /// The words that occurred in names, as ranges of `bytes`.
  var words: [Range<Int>] = []
  /// The substitution number of each name or type that occurred.
  private var substitutions: [Substitutable: Int] = [:]
  private var merge = SubstitutionMerge()

  /// Something written out once and by number afterwards. Names and types share the numbers.
  private enum Substitutable: Hashable {
    case identifier(String)
    case type(String)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ text: String) { bytes += text.utf8 }

  // MARK: Declarations

  /// The symbol of a getter (`…vg`) or setter (`…vs`).
  static func accessor(
    _ suffix: String, ofProperty name: String, discriminator: String?, in context: NominalType.Context, type: SwiftType
  ) -> String {
    var mangler = Mangler()
    mangler.append(context)
    mangler.append(name: name, discriminator)
    mangler.append(type)
    mangler.append("v" + suffix)
    return mangler.text
  }

  /// The symbol of a method that returns Void.
  static func method(
    _ name: String, discriminator: String?, in context: NominalType.Context,
    parameters: [(label: String?, type: SwiftType)]
  ) -> String {
    var mangler = Mangler()
    mangler.append(context)
    mangler.append(name: name, discriminator)
    if parameters.contains(where: { $0.label != nil }) {
      for parameter in parameters {
        if let label = parameter.label { mangler.append(identifier: label) } else { mangler.append("_") }
      }
    } else if !parameters.isEmpty {
      mangler.append("y")
    }
    mangler.append("y")
    mangler.append(parameters: parameters)
    mangler.append("F")
    return mangler.text
  }

  private mutating func append(parameters: [(label: String?, type: SwiftType)]) {
    switch (parameters.count, parameters.first) {
    case (1, .some(let only)):
      append(only.type)
      if case .tuple = only.type { append("_t") } else if only.label != nil { append("_t") }
    default:
      if parameters.isEmpty { return append("y") }
      for (index, parameter) in parameters.enumerated() {
        append(parameter.type)
        if index == 0 { append("_") }
      }
      append("t")
    }
  }

  private mutating func append(_ context: NominalType.Context) {
    switch context {
    case .module(let name): append(module: name)
    case .type(let outer): append(outer)
    case .extension(of: let type, in: let module):
      append(type)
      append(module: module)
      append("E")
    }
  }

  private mutating func append(module: String) {
    if module == "Swift" { append("s") } else { append(identifier: module) }
  }

  private mutating func append(name: String, _ discriminator: String?) {
    append(identifier: name)
    guard let discriminator else { return }
    append(identifier: discriminator)
    append("LL")
  }

  // MARK: Types

  private mutating func append(_ nominal: NominalType) {
    if let letter = nominal.letter { return appendStandard(letter) }
    if substitute(.type(nominal.key)) { return }
    append(nominal.context)
    append(name: nominal.name, nominal.discriminator)
    append(String(nominal.kind.rawValue))
    remember(.type(nominal.key))
  }

  private mutating func append(protocol nominal: NominalType) {
    if let letter = nominal.letter { return appendStandard(letter) }
    append(nominal.context)
    append(name: nominal.name, nominal.discriminator)
  }

  private mutating func append(_ type: SwiftType) {
    switch type {
    case .nominal(let nominal, let arguments): append(nominal, arguments: arguments, key: type.key)
    case .optional(let inner):
      if substitute(.type(type.key)) { return }
      append(inner)
      append("Sg")
      remember(.type(type.key))
    case .tuple(let elements): append(elements)
    case .existential(let protocols, let isObject):
      append(protocols)
      append(isObject ? "Xl" : "p")
    case .metatype(let inner):
      append(inner)
      if case .existential = inner { append("Xp") } else { append("m") }
    }
  }

  private mutating func append(_ nominal: NominalType, arguments: [SwiftType], key: String) {
    if arguments.isEmpty { return append(nominal) }
    if substitute(.type(key)) { return }
    append(nominal)
    append("y")
    for argument in arguments { append(argument) }
    append("G")
    remember(.type(key))
  }

  private mutating func append(_ elements: [(label: String?, type: SwiftType)]) {
    if elements.isEmpty { return append("yt") }
    for (index, element) in elements.enumerated() {
      append(element.type)
      if let label = element.label { append(identifier: label) }
      if index == 0 { append("_") }
    }
    append("t")
  }

  private mutating func append(_ protocols: [NominalType]) {
    if protocols.isEmpty { return append("y") }
    for (index, member) in protocols.enumerated() {
      append(protocol: member)
      if index == 0 { append("_") }
    }
  }

  // MARK: Substitutions

  mutating func append(identifier: String) {
    if substitute(.identifier(identifier)) { return }
    remember(.identifier(identifier))
    spell(identifier)
  }

  private mutating func remember(_ item: Substitutable) { substitutions[item] = substitutions.count }

  private mutating func substitute(_ item: Substitutable) -> Bool {
    guard let number = substitutions[item] else { return false }
    if number >= 26 {
      append("A")
      append(index: number - 26)
      return true
    }
    let letter = UInt8(ascii: "A") + UInt8(number)
    if !merge.merge(letter, isStandard: false, into: &bytes) { bytes += [UInt8(ascii: "A"), letter] }
    return true
  }

  private mutating func appendStandard(_ letter: Character) {
    let letter = letter.asciiValue.unsafelyUnwrapped  // the letters of the table are ASCII
    if !merge.merge(letter, isStandard: true, into: &bytes) { bytes += [UInt8(ascii: "S"), letter] }
  }

  private mutating func append(index: Int) { append(index == 0 ? "_" : "\(index - 1)_") }
}

/// Merges consecutive substitutions: `AAAB` becomes `AaB`, `SiSi` becomes `S2i`.
private struct SubstitutionMerge {
  private var offset = 0
  private var length = 0
  private var count = 0
  private var isStandard = false

  mutating func merge(_ letter: UInt8, isStandard: Bool, into bytes: inout [UInt8]) -> Bool {
    if count > 0, count < 2048, bytes.count == offset + length, isStandard == self.isStandard, let last = bytes.last {
      if last == letter {
        count += 1
        bytes.removeLast(bytes.count - offset)
        bytes += "\(count)".utf8
        bytes.append(letter)
        length = bytes.count - offset
        return true
      }
      if !isStandard {
        offset = bytes.count
        (count, length) = (1, 1)
        bytes[bytes.count - 1] = last + 32
        bytes.append(letter)
        return true
      }
    }
    (offset, length, count) = (bytes.count + 1, 1, 1)
    self.isStandard = isStandard
    return false
  }
}

extension NominalType {
  /// Identifies the type among substitutions.
  fileprivate var key: String {
    let outer =
      switch context {
      case .module(let name): name
      case .type(let type): type.key
      case .extension(let type, let module): "\(type.key)+\(module)"
      }
    return "\(outer).\(name)\(discriminator ?? "")\(kind.rawValue)"
  }
}

extension SwiftType {
  /// Identifies the type among substitutions; without generic arguments it equals the key of its declaration.
  fileprivate var key: String {
    switch self {
    case .nominal(let nominal, let arguments):
      arguments.isEmpty ? nominal.key : "\(nominal.key)<\(arguments.map(\.key).joined(separator: ","))>"
    case .optional(let inner): "\(inner.key)?"
    case .tuple(let elements):
      "(\(elements.map { "\($0.label ?? "_"):\($0.type.key)" }.joined(separator: ",")))"
    case .existential(let protocols, let isObject):
      "any \(protocols.map(\.key).joined(separator: "&"))\(isObject ? "&AnyObject" : "")"
    case .metatype(let inner): "\(inner.key).Type"
    }
  }
}
