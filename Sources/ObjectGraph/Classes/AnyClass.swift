import StrataCSwiftRuntime
import Foundation
import StrataManagedModel

/// What makes a context, a coordinator or a container of a class that is known only at run time:
/// `T(managedObjectModel:)` of a generic parameter, `Self(name:)` and `self.init(concurrencyType:)` in a class method.
///
/// Swift allows that for `required` initializers, which every subclass with an initializer of its own would have to
/// repeat, and for those of a protocol. A class in a variable counts as what the variable is declared to hold.
public protocol _MadeOfAnyClass {}

/// An initializer that is looked up in a class.
package enum AnyClassInitializer {
  case context(type: UInt8)
  case coordinator(NSManagedObjectModel)
  case container(name: String, NSManagedObjectModel)
  /// `init()` of any class.
  case object

  /// An object of a class, made by its own form of the initializer.
  package func make<Made: NSObject>(_ type: Made.Type) -> Made {
    let type = unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
    let made =
      switch self {
      case .context(let kind): strata_make(type, strata_init_context, UInt(kind), 0, 0)
      case .coordinator(let model): strata_make(type, strata_init_coordinator, Self.reference(model), 0, 0)
      case .container(let name, let model): Self.makeContainer(type, name, model)
      case .object: strata_make(type, strata_init_object, 0, 0, 0)
      }
    guard let made else { fatalError("An initializer of Swift answers an object.") }
    return Unmanaged<Made>.fromOpaque(made).takeRetainedValue()
  }

  private static func reference(_ model: NSManagedObjectModel) -> UInt {
    UInt(bitPattern: Unmanaged.passRetained(model).toOpaque())
  }

  /// A string is handed over as its two words.
  private static func makeContainer(
    _ type: UnsafeRawPointer, _ name: String, _ model: NSManagedObjectModel
  ) -> UnsafeMutableRawPointer? {
    let given = UnsafeMutablePointer<String>.allocate(capacity: 1)
    defer { given.deallocate() }
    given.initialize(to: name)
    let words = UnsafeRawPointer(given).load(as: (UInt, UInt).self)
    return strata_make(type, strata_init_container, words.0, words.1, reference(model))
  }
}
