import StrataSwiftSource

/// A declaration as written.
struct Declaration {
  enum Content {
    case variable(Variable)
    case type(TypeDeclaration)
    case initializer
    case macro(MacroCall)
    case other
  }

  var attributes: [Attribute] = []
  var modifiers: Set<String> = []
  /// The access level written before the declaration; nil if none.
  var access: AccessLevel?
  var content = Content.other
  /// The distance of its first token from the start of the text, in bytes.
  var offset = 0
  /// The conditions of the enclosing `#if` blocks; empty outside of them.
  var conditions: [String] = []

  /// The first attribute of one of the given names, with or without the module's name.
  func attribute(_ names: String...) -> Attribute? {
    attributes.first { attribute in names.contains { attribute.name == $0 || attribute.name == "SwiftData.\($0)" } }
  }
}

/// `@Attribute(.unique)`.
struct Attribute {
  var name: String
  /// The arguments as written, without brackets.
  var arguments = ""
  var offset: Int
}

/// `var a: Int, b = 2`, with all its bindings.
struct Variable {
  struct Binding {
    /// The name without backticks; nil for a tuple.
    var name: String?
    var type: String?
    var initialValue: String?
    /// Whether the binding has accessors or observers.
    var hasAccessors = false
  }

  var isConstant: Bool
  var bindings: [Binding]
}

/// A class or another type, or an extension.
struct TypeDeclaration {
  /// `class`, `struct`, `enum`, `actor`, `protocol` or `extension`.
  var keyword: String
  var name: String
  var isGeneric = false
  /// The types that it inherits from or conforms to, as written.
  var inherited: [String] = []
  var members: [Declaration] = []
}

/// `#Index<Book>([\.title])`.
struct MacroCall {
  var name: String
  /// `<Book>`, or empty.
  var generics = ""
  /// The arguments as written, without brackets.
  var arguments = ""
}
