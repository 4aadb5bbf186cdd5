import Foundation
import StrataCSwiftRuntime
import StrataDiagnostics

/// Finds the program's classes by name, however they are declared: in any module, nested in other types, or private to
/// a file. Searches the type records that the compiler emits.
package enum ProgramClasses {
  /// Returns the classes that a name may refer to: those called `Book`, for `Book`, `Books.Book` and `Shelf.Book`,
  /// whose context matches the rest of the name.
  package static func named(_ name: String) -> [AnyClass] {
    guard let last = name.split(separator: ".").last else { return [] }
    var classes: [AnyClass] = []
    withUnsafeMutablePointer(to: &classes) { found in
      strata_each_class(
        String(last),
        { type, found in
          guard let type, let found else { return }
          // `type` points to the metadata of a class.
          let any = unsafeBitCast(type, to: Any.Type.self)
          if let type = any as? AnyClass { found.assumingMemoryBound(to: [AnyClass].self).pointee.append(type) }
        }, found)
    }
    return classes.filter { type in
      let path = path(of: type)
      return path == name || path.hasSuffix(".\(name)") || _typeName(type) == name
    }
  }

  /// Returns a qualified name, `Books.Shelf.Book`: the module, the enclosing types and the class.
  package static func path(of type: AnyClass) -> String {
    var parts: [String] = []
    var context = strata_context(unsafeBitCast(type, to: UnsafeRawPointer.self))
    while let inner = context {
      if let name = strata_context_name(inner) { parts.append(String(cString: name)) }
      context = strata_outer_context(inner)
    }
    return parts.reversed().joined(separator: ".")
  }

  /// Returns the path of a class; if another class shares it, as classes private to files or functions may, the name
  /// that distinguishes them at run time.
  package static func name(of type: AnyClass) -> String {
    let path = path(of: type)
    return named(path).count { self.path(of: $0) == path } > 1 ? _typeName(type) : path
  }
}

/// Looking up the one class with a name.
extension ProgramClasses {
  /// Returns the class with a name among the subclasses of another one. The name may lack the module and the enclosing
  /// types: then the program's own classes take precedence over those of its libraries, and top-level classes over
  /// those nested in types and files. An ambiguous name stops the program.
  package static func type<Base: AnyObject>(named name: String, below base: Base.Type) -> Base.Type? {
    let parts = name.utf8.count { $0 == UInt8(ascii: ".") }
    if parts == 1, let type = type(named: name) as? Base.Type { return type }
    if parts == 0, let type = type(named: "\(MainModule.name).\(name)") as? Base.Type { return type }
    let all = named(name).filter { $0 is Base.Type }
    let exact = all.filter { path(of: $0) == name || _typeName($0) == name }
    let outermost = all.filter { path(of: $0).utf8.count { $0 == UInt8(ascii: ".") } == 1 }
    let meant = exact.isEmpty ? outermost.isEmpty ? all : outermost : exact
    guard meant.count < 2 else {
      fatalError(
        "The class name '\(name)' means several classes of the program: "
          + meant.map(Self.name).sorted().joined(separator: ", ")
          + ". Write it in full, as NSStringFromClass gives it.")
    }
    return meant.first as? Base.Type
  }

  /// Returns the class with a name, of any kind. The name may lack the module if that is the program's own or
  /// Foundation.
  package static func anyClass(named name: String) -> AnyClass? {
    type(named: name) ?? type(named: "\(MainModule.name).\(name)") ?? type(named: "Foundation.\(name)")
  }

  /// Returns the class with a name such as `Books.Author`. Passing Swift the mangled name avoids the table of all
  /// Foundation classes that `NSClassFromString` builds first: 4 ms of a program's start.
  private static func type(named name: String) -> AnyClass? {
    let parts = name.split(separator: ".")
    if parts.count == 2, name.utf8.allSatisfy({ $0 < 128 }) {
      let mangled = "\(parts[0].utf8.count)\(parts[0])\(parts[1].utf8.count)\(parts[1])C"
      if let type = _typeByName(mangled) as? AnyClass { return type }
    }
    return parts.count > 1 ? NSClassFromString(name) : nil
  }
}
