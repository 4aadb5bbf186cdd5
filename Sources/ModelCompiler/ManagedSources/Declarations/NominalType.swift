/// The kind of a nominal type, by its letter in symbols.
enum NominalKind: Character, Sendable {
  case `class` = "C"
  case structure = "V"
  case enumeration = "O"
  case `protocol` = "P"
}

/// A nominal type as symbols name it.
final class NominalType: Sendable {
  indirect enum Context: Sendable {
    case module(String)
    case type(NominalType)
    /// Inside an extension of another module's type.
    case `extension`(of: NominalType, in: String)
  }

  let name: String
  let kind: NominalKind
  let context: Context
  /// For a type visible only in its file: `_` and the file's digest.
  let discriminator: String?
  /// The single letter that stands for some of the standard library's types: `i` for `Int`.
  let letter: Character?

  init(
    _ name: String, kind: NominalKind, in context: Context, discriminator: String? = nil, letter: Character? = nil
  ) {
    self.name = name
    self.kind = kind
    self.context = context
    self.discriminator = discriminator
    self.letter = letter
  }

  var module: String {
    switch context {
    case .module(let name): name
    case .type(let outer): outer.module
    case .extension(_, let name): name
    }
  }

  /// `Books.Shelf.Book`: module, enclosing types and name.
  var path: String {
    switch context {
    case .module(let module): "\(module).\(name)"
    case .type(let outer): "\(outer.path).\(name)"
    case .extension(_, let module): "\(module).\(name)"
    }
  }
}

/// A fully resolved type.
indirect enum SwiftType: Sendable {
  case nominal(NominalType, [SwiftType])
  case optional(SwiftType)
  case tuple([(label: String?, type: SwiftType)])
  /// `any P & Q`; `Any` if empty.
  case existential([NominalType], isObject: Bool)
  case metatype(SwiftType)
}
