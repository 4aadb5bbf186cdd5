import CSwiftRuntime
import Foundation

/// What makes objects of a class that is known only at run time: `T()` of a generic parameter, `Self()` and `self.init()` in a
/// class method.
///
/// Swift allows that for initializers that are `required`, which every subclass with an initializer of its own would have
/// to repeat, and for those of a protocol. A class in a variable counts as what the variable is declared to hold.
public protocol _MadeOfAnyClass {}

/// Such classes that have an `init()`.
public protocol _MadePlainOfAnyClass: _MadeOfAnyClass {}

extension _MadePlainOfAnyClass where Self: NSObject {
  /// Makes an object by the class's own `init()`.
  public init() { self = AnyClassInitializer.plain.make(Self.self) }
}

/// An initializer that is looked up in a class.
package enum AnyClassInitializer {
  case plain
  case context(type: UInt8)
  case coordinator(NSManagedObjectModel)
  case container(name: String, NSManagedObjectModel)

  /// An object of a class, made by its own form of the initializer.
  package func make<Made: NSObject>(_ type: Made.Type) -> Made {
    let type = unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
    let made =
      switch self {
      case .plain: strata_make(type, strata_init, 0, 0, 0)
      case .context(let kind): strata_make(type, strata_init_context, UInt(kind), 0, 0)
      case .coordinator(let model): strata_make(type, strata_init_coordinator, Self.reference(model), 0, 0)
      case .container(let name, let model): Self.makeContainer(type, name, model)
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
