/// A type as written.
indirect enum TypeSyntax: Equatable {
  /// `Foundation.Date`, `Set<Tag>`: names with their generic arguments.
  case named([Component])
  case optional(TypeSyntax)
  case array(TypeSyntax)
  case dictionary(TypeSyntax, TypeSyntax)
  case tuple([Element])
  /// `any P & Q`; one member if nothing is composed.
  case joined([TypeSyntax])
  case metatype(TypeSyntax)
  /// A type that no accessor can have; a noun phrase that says what.
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
