import StrataSwiftSource

/// A lexical scope for name lookup: a file, type or extension with its declarations.
final class Scope {
  enum Kind {
    case file
    case type(NominalKind)
    case `extension`(of: TypeSyntax)
  }

  let kind: Kind
  let name: String
  /// nil for a file. unowned, because a file owns its scopes.
  unowned let parent: Scope?
  /// The nested scopes, which this one owns.
  private(set) var inner: [Scope] = []

  /// The line of a type.
  var line = 0
  /// The access level written before the declaration; nil if none.
  var access: AccessLevel?
  /// The names of the declaration's attributes.
  var attributes: [String] = []
  var isGeneric = false
  /// The conditions of the enclosing `#if` blocks, outermost first.
  var conditions: [String] = []
  /// For a class: whether it overrides `validateValue(_:forKey:)`.
  var overridesValueValidation = false
  /// For a class: whether it overrides a method that validates an object, or `awake(fromSnapshotEvents:)`.
  var overridesSaveHooks = false
  /// For a class: whether it declares `init()`, and other designated initializers.
  var hasPlainInitializer = false
  var hasOtherInitializer = false
  /// The types after the colon: superclass, raw type, protocols.
  var inherits: [TypeSyntax] = []
  /// The types and aliases declared in the scope, by name.
  var types: [String: [Scope]] = [:]
  var aliases: [String: TypeAlias] = [:]
  /// For a type: its extensions in its own module. For a file: empty.
  var extensions: [Scope] = []
  /// For an extension: the extended type once bound, and its declaration if its source was parsed.
  var extended: NominalType?
  unowned var extendedScope: Scope?
  /// For a type: its nominal type, cached.
  var nominal: NominalType?

  init(_ kind: Kind, name: String, in parent: Scope?) {
    self.kind = kind
    self.name = name
    self.parent = parent
    parent?.inner.append(self)
  }

  var typeKind: NominalKind? { if case .type(let kind) = kind { kind } else { nil } }

  /// The enclosing file's scope.
  var file: Scope { parent?.file ?? self }

  /// `Outer.Inner`, for diagnostics.
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

/// `import Foundation` as written, with attributes, access level and compilation conditions.
struct ImportDeclaration: Equatable {
  var module: String
  var text: String
  var conditions: [String]
}

/// A `@NSManaged` property (one of several names in a `var` counts on its own) or function.
struct ManagedDeclaration {
  enum Form {
    case property(TypeSyntax)
    case function([Parameter], result: TypeSyntax?)
    /// Something that could not be parsed, or which accessors do not support; a noun phrase that says what.
    case unsupported(String)
    /// Something that the compiler refuses itself: a declaration without a type, or a static member.
    case malformed
  }

  struct Parameter {
    /// nil for `_`.
    var label: String?
    var name: String
    var type: TypeSyntax
  }

  var name: String
  var form: Form
  /// unowned, because the file's findings own it.
  unowned var scope: Scope
  var access: AccessLevel?
  /// The access level of the setter if it has its own.
  var setterAccess: AccessLevel?
  var isUsableFromInline = false
  /// `addTagsObject:` of `@objc(addTagsObject:)`.
  var selector: String?
  /// The conditions of the enclosing `#if` blocks, outermost first.
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
