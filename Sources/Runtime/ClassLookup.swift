import Foundation

/// Classes by their names.
///
/// `NSClassFromString` builds a table of all Foundation classes first, which takes 4 ms of a program's start. The
/// standard library's `_typeByName` needs the mangled name, which for a class that no type encloses consists of the
/// lengths and the names. If this Swift does not have that rule, Foundation is asked.
package enum ClassLookup {
  /// Returns the class with a name such as `Books.Author`.
  package static func type(named name: String) -> AnyClass? {
    let parts = name.split(separator: ".")
    if isMangledByLength, parts.count == 2, name.utf8.allSatisfy({ $0 < 128 }) {
      if let type = _typeByName(mangled(parts)) as? AnyClass { return type }
    }
    return parts.count > 1 ? NSClassFromString(name) : nil
  }

  private static func mangled(_ parts: [Substring]) -> String { parts.map { "\($0.utf8.count)\($0)" }.joined() + "C" }

  /// Whether the rule holds for a class of this module.
  package static let isMangledByLength = _typeByName(mangled(["StrataRuntime", "LookedUpClass"])) == LookedUpClass.self
}

/// A class to check the rule with.
final class LookedUpClass {}
