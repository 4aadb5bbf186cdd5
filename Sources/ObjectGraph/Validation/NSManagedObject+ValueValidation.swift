import Foundation
import StrataFoundationGaps
import StrataManagedModel
import StrataRuntime

/// A pointer to a value that can be replaced, as in Apple's key-value validation.
///
/// Linux has no autorelease pools, so it is a plain pointer: pass `&value` for a `var value: AnyObject?`.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>

extension NSManagedObject {
  /// Whether the class may override `validateValue(_:forKey:)`. Most do not, and their objects are validated without
  /// boxing every value. A class that the model plugin has not registered may.
  static var mayOverrideValueValidation: Bool {
    TypeNames.line(of: self).prefix { $0 != NSManagedObject.self }.contains {
      ProgramClasses.validatesValues($0) ?? true
    }
  }

  /// Whether the class may override a method that is called again for all objects of a save after a merge policy has changed
  /// one of them. A class that the model plugin has not registered may.
  static var mayHaveSaveHooks: Bool {
    TypeNames.line(of: self).prefix { $0 != NSManagedObject.self }.contains {
      ProgramClasses.hasSaveHooks($0) ?? true
    }
  }

  /// Calls `validateValue(_:forKey:)` for every property, and sets replaced values.
  func eachValueErrors() -> [any Error] {
    let names = layout.ownerNames + layout.toMany.indices.filter(isAsked).map { layout.toMany[$0].name }
    return names.compactMap { name in
      let old = value(forKey: name).map { $0 as AnyObject }
      var new = old
      do {
        try validateValue(&new, forKey: name)
      } catch {
        return error
      }
      if new !== old { setValue(new, forKey: name) }
      return nil
    }
  }

  private func isAsked(_ number: Int) -> Bool {
    flags.contains(.neverSaved) || edits?.links[number]?.isChanged == true
  }
}
