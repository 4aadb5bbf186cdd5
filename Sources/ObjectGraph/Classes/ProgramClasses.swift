import Foundation
import StrataCSwiftRuntime

/// The classes of the program by their names, however they are declared: in any module, inside of other types, private to
/// a file. The compiler wrote down all types that a program has; that is what is looked through.
enum ProgramClasses {
  /// The classes that a name may mean: those that are called `Book`, for `Book`, `Books.Book` and `Shelf.Book`, and stand
  /// in what the name says before that.
  static func named(_ name: String) -> [AnyClass] {
    guard let last = name.split(separator: ".").last else { return [] }
    var classes: [AnyClass] = []
    withUnsafeMutablePointer(to: &classes) { found in
      strata_each_class(
        String(last),
        { type, found in
          guard let type, let found else { return }
          // What is handed over is the metadata of a class.
          let any = unsafeBitCast(type, to: Any.Type.self)
          if let type = any as? AnyClass { found.assumingMemoryBound(to: [AnyClass].self).pointee.append(type) }
        }, found)
    }
    return classes.filter { type in
      let path = path(of: type)
      return path == name || path.hasSuffix(".\(name)") || _typeName(type) == name
    }
  }

  /// `Books.Shelf.Book`: the module, the types around a class and the class.
  static func path(of type: AnyClass) -> String {
    var parts: [String] = []
    var context = strata_context(unsafeBitCast(type, to: UnsafeRawPointer.self))
    while let inner = context {
      if let name = strata_context_name(inner) { parts.append(String(cString: name)) }
      context = strata_outer_context(inner)
    }
    return parts.reversed().joined(separator: ".")
  }

  /// The path of a class; if it shares that with another one, as classes can that are private to files or functions, the
  /// name that Swift tells them apart by while the program runs.
  static func name(of type: AnyClass) -> String {
    let path = path(of: type)
    return named(path).count { self.path(of: $0) == path } > 1 ? _typeName(type) : path
  }
}

/// The name of a class of managed objects, for an entity's `managedObjectClassName`: `Books.Book`.
///
/// Foundation's function for Linux stops the program for a class inside of another type and for a private one. Those have
/// names too: `Books.Shelf.Book`, without what they are private to.
public func NSStringFromClass(_ aClass: NSManagedObject.Type) -> String {
  aClass == NSManagedObject.self ? "NSManagedObject" : ProgramClasses.name(of: aClass)
}
