/// What a named type is, by the letter that stands for it in symbols.
enum NominalKind: Character, Sendable {
  case `class` = "C"
  case structure = "V"
  case enumeration = "O"
  case `protocol` = "P"
}

/// A named type as it occurs in symbols.
final class Nominal: Sendable {
  indirect enum Context: Sendable {
    case module(String)
    case type(Nominal)
    /// Inside an extension of a type of another module.
    case `extension`(of: Nominal, in: String)
  }

  let name: String
  let kind: NominalKind
  let context: Context
  /// Of a type that only its file sees: `_` and the file's number.
  let discriminator: String?
  /// The letter of a type of the standard library that has one: `i` for `Int`.
  let letter: Character?

  init(
    _ name: String, _ kind: NominalKind, in context: Context, discriminator: String? = nil, letter: Character? = nil
  ) {
    self.name = name
    self.kind = kind
    self.context = context
    self.discriminator = discriminator
    self.letter = letter
  }

  /// The module in which the type is declared.
  var module: String {
    switch context {
    case .module(let name): name
    case .type(let outer): outer.module
    case .extension(_, let name): name
    }
  }

  /// `Books.Shelf.Book`: the module, the types around this one, and its name.
  var path: String {
    switch context {
    case .module(let module): "\(module).\(name)"
    case .type(let outer): "\(outer.path).\(name)"
    case .extension(_, let module): "\(module).\(name)"
    }
  }
}

/// A type that is known down to the declarations of its parts.
indirect enum SwiftType: Sendable {
  case nominal(Nominal, [SwiftType])
  case optional(SwiftType)
  case tuple([(label: String?, type: SwiftType)])
  /// `any P & Q`; `Any` if there is none.
  case existential([Nominal], isObject: Bool)
  case metatype(SwiftType)
}
