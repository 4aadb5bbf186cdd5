import CoreData

// Xcode generates two files for an entity. Only the attributes for Objective-C need conditions.

#if canImport(ObjectiveC)
@objc(Bed)
#endif
public class Bed: NSManagedObject {}
