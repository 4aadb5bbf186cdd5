import Foundation
import StrataRuntime

/// An object or a structure of the program's own as a subject. Its keys are its stored properties, because Swift on Linux
/// has no key-value coding.
struct ReflectedSubject: PredicateSubject {
  let object: Any

  func predicateResult(forKey key: String) -> PredicateResult {
    var mirror: Mirror? = Mirror(reflecting: object)
    // As key-value coding finds a variable of an object: under its name or with an underscore before it.
    let hidden = "_\(key)"
    while let level = mirror {
      if let found = level.children.first(where: { $0.label == key || $0.label == hidden }) {
        return PredicateResult(plain: found.value)
      }
      mirror = level.superclassMirror
    }
    return .unknownKey
  }

  var predicateIdentity: PredicateValue {
    .reference(PredicateReference(object as? NSObject ?? PlainIdentity(object)))
  }

  var predicateObject: Any { object }

  /// The class and the address, as messages of key-value coding name an object.
  var name: String {
    let type = TypeNames.full(of: Swift.type(of: object))
    guard Swift.type(of: object) is AnyObject.Type else { return "<\(type)>" }
    let address = UInt(bitPattern: Unmanaged.passUnretained(object as AnyObject).toOpaque())
    return "<\(type) 0x\(String(address, radix: 16))>"
  }
}

/// The identity of a plain value: equal values are the same if the type is equatable, otherwise only one object is.
private final class PlainIdentity: NSObject {
  private let identity: AnyHashable?

  init(_ object: Any) {
    identity =
      object as? AnyHashable
      ?? (type(of: object) is AnyObject.Type ? AnyHashable(ObjectIdentifier(object as AnyObject)) : nil)
  }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? PlainIdentity else { return false }
    return self === other || (identity != nil && identity == other.identity)
  }

  override var hash: Int { identity?.hashValue ?? 0 }
}
