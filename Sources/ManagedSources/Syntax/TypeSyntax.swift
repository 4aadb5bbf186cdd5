/// A type as it is written.
indirect enum TypeSyntax: Equatable {
  /// `Foundation.Date`, `Set<Tag>`: names with their arguments.
  case named([Component])
  case optional(TypeSyntax)
  case array(TypeSyntax)
  case dictionary(TypeSyntax, TypeSyntax)
  case tuple([Element])
  /// `any P & Q`; of one member if nothing is joined.
  case joined([TypeSyntax])
  case metatype(TypeSyntax)
  /// What no accessor can have, with what it is called.
  case unsupported(String)

  struct Component: Equatable {
    var name: String
    var arguments: [TypeSyntax] = []
  }

  struct Element: Equatable {
    var label: String?
    var type: TypeSyntax
  }
}
