import Foundation

// `object as CVarArg` is what programs for Apple's systems write. These classes are this module's own, `CVarArg` has the
// rest from Foundation's protocol for objects.

extension NSManagedObject: CVarArg, _CVarArgObject {}
extension NSManagedObjectID: CVarArg, _CVarArgObject {}
