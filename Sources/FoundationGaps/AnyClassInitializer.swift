import Foundation
import StrataCSwiftRuntime

/// What makes a context, a coordinator or a container of a class that is known only at run time:
/// `T(managedObjectModel:)` of a generic parameter, `Self(name:)` and `self.init(concurrencyType:)` in a class method.
///
/// Swift allows that for `required` initializers, which every subclass with an initializer of its own would have to
/// repeat, and for those of a protocol. A class in a variable counts as what the variable is declared to hold.
public protocol _MadeOfAnyClass {}

/// An initializer that is looked up in a class, with its arguments.
package struct AnyClassInitializer {
  private let initializer: strata_member
  private let words: (UInt, UInt, UInt)

  /// - Parameter words: the arguments as register values. The initializer consumes objects among them.
  package init(_ initializer: strata_member, words: (UInt, UInt, UInt)) {
    self.initializer = initializer
    self.words = words
  }

  /// `init()` of any class.
  package static var object: AnyClassInitializer { AnyClassInitializer(strata_object_init(), words: (0, 0, 0)) }

  /// Creates an object of a class with that class's override of the initializer.
  package func make<Made: NSObject>(_ type: Made.Type) -> Made {
    let type = unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
    guard let made = strata_make(type, initializer, words.0, words.1, words.2) else {
      fatalError("An initializer of Swift answers an object.")
    }
    return Unmanaged<Made>.fromOpaque(made).takeRetainedValue()
  }
}
