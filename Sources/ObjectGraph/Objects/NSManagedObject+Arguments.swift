import Foundation

// `object as CVarArg` is common in programs for Apple's systems. These classes belong to this module; the others get
// `CVarArg` from Foundation's protocol for objects.
// rest from Foundation's protocol for objects.

extension NSManagedObject: CVarArg, _CVarArgObject {}
extension NSManagedObjectID: CVarArg, _CVarArgObject {}
