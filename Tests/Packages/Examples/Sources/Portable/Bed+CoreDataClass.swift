import CoreData

// The two files that Xcode writes for an entity. Only the attributes for Objective-C stand between conditions.

#if canImport(ObjectiveC)
@objc(Bed)
#endif
public class Bed: NSManagedObject {}
