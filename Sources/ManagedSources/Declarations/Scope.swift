/// What names are looked up in: a file, a type or an extension, with the declarations that stand in it.
final class Scope {
  enum Kind {
    case file
    case type(NominalKind)
    case `extension`(of: TypeSyntax)
  }

  let kind: Kind
  let name: String
  /// nil for a file. A scope lives as long as its file, which owns its scopes.
  unowned let parent: Scope?
  /// The scopes inside, which keeps them alive.
  private(set) var inner: [Scope] = []

  /// What is written before the declaration; nil if nothing is.
  var access: AccessLevel?
  /// The names of the attributes before the declaration.
  var attributes: [String] = []
  var isGeneric = false
  /// The types after the colon: superclass, raw type, protocols.
  var inherits: [TypeSyntax] = []
  /// The types and aliases that stand in the scope, by name.
  var types: [String: [Scope]] = [:]
  var aliases: [String: TypeAlias] = [:]
  /// Of a type: the extensions of it in its own module. Of a file: empty.
  var extensions: [Scope] = []
  /// Of an extension: what it extends, once that is known; and where that is declared, if its source was read.
  var extended: Nominal?
  unowned var extendedScope: Scope?
  /// Of a type: what it is called in symbols, once somebody asked.
  var nominal: Nominal?

  init(_ kind: Kind, name: String, in parent: Scope?) {
    self.kind = kind
    self.name = name
    self.parent = parent
    parent?.inner.append(self)
  }

  var typeKind: NominalKind? { if case .type(let kind) = kind { kind } else { nil } }

  /// The scope of the file.
  var file: Scope { parent?.file ?? self }

  /// `Outer.Inner`, for messages.
  var path: String {
    switch kind {
    case .file: ""
    case .type: parent.map { $0.path.isEmpty ? name : "\($0.path).\(name)" } ?? name
    case .extension(of: let type): type.description
    }
  }
}

/// `typealias Name = Type`.
struct TypeAlias {
  var name: String
  var type: TypeSyntax
  var isGeneric: Bool
}

/// `import Foundation` as it is written, with its attributes and access, and under which conditions.
struct ImportDeclaration: Equatable {
  var module: String
  var text: String
  var conditions: [String]
}

/// A `@NSManaged` property, or one name of several in a `var`; or a `@NSManaged` function.
struct ManagedDeclaration {
  enum Form {
    case property(TypeSyntax)
    case function([Parameter], result: TypeSyntax?)
    /// What stands there cannot be read, or is of a form for which there are no accessors.
    case unsupported(String)
  }

  struct Parameter {
    /// nil is `_`.
    var label: String?
    var name: String
    var type: TypeSyntax
  }

  var name: String
  var form: Form
  /// Lives as long as the findings of its file.
  unowned var scope: Scope
  var access: AccessLevel?
  /// Of a property whose setter has an access of its own.
  var setterAccess: AccessLevel?
  var isUsableFromInline = false
  /// `addTagsObject:` of `@objc(addTagsObject:)`.
  var selector: String?
  /// The conditions of the `#if` blocks around it, outermost first.
  var conditions: [String]
  var line: Int
}

extension TypeSyntax: CustomStringConvertible {
  var description: String {
    switch self {
    case .named(let components): components.map(\.description).joined(separator: ".")
    case .optional(.joined(let members)): "(\(TypeSyntax.joined(members)))?"
    case .optional(let inner): "\(inner)?"
    case .array(let element): "[\(element)]"
    case .dictionary(let key, let value): "[\(key): \(value)]"
    case .tuple(let elements): "(\(elements.map(\.description).joined(separator: ", ")))"
    case .joined(let members): "any \(members.map(\.description).joined(separator: " & "))"
    case .metatype(let inner): "\(inner).Type"
    case .unsupported(let what): what
    }
  }
}

extension TypeSyntax.Component: CustomStringConvertible {
  var description: String {
    arguments.isEmpty ? name : "\(name)<\(arguments.map(\.description).joined(separator: ", "))>"
  }
}

extension TypeSyntax.Element: CustomStringConvertible {
  var description: String { (label.map { "\($0): " } ?? "") + type.description }
}
