import Foundation
import StrataRuntime

/// The data in a program by which its models and classes are found: an ELF note whose content is the address of a function
/// that registers the target's models, classes and key paths. Nothing runs when the program is loaded.
///
/// Only for code that the model plugin generates. The elements are the size of the name, of the content, the type, and the
/// name "StrataModel" in words.
public typealias _ProgramRecord = (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, @convention(c) () -> Void)

/// A class that programs name in models, by its name.
///
/// Only for code that the model plugin generates.
public struct _RegisteredClass {
  let path: String
  let type: AnyClass
  let validatesValues: Bool
  let hasSaveHooks: Bool
  let make: (@MainActor () -> NSObject)?

  /// - Parameters:
  ///   - path: the class's name with its module and the enclosing types.
  ///   - validatesValues: whether the class overrides `validateValue(_:forKey:)`.
  ///   - hasSaveHooks: whether the class overrides a method that validates an object, or `awake(fromSnapshotEvents:)`.
  ///   - make: creates an object of the class, if a name alone must suffice for that.
  public init(
    _ path: String, _ type: AnyClass, validatesValues: Bool = false, hasSaveHooks: Bool = false,
    make: (@MainActor () -> NSObject)? = nil
  ) {
    (self.path, self.type, self.make) = (path, type, make)
    (self.validatesValues, self.hasSaveHooks) = (validatesValues, hasSaveHooks)
  }
}

/// Registers the classes of a module.
///
/// Only for code that the model plugin generates. The list is made when a class is first looked for.
/// - Parameter list: isolated to the main actor, as classes may be; it only names them.
public func _registerClasses(_ list: @escaping @MainActor @Sendable () -> [_RegisteredClass]) {
  ProgramClasses.register(IsolatedList.unisolated(list))
}
