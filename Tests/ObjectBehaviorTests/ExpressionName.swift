import CoreData

/// Foundation on Linux has a deprecated class with the same name.
typealias NSExpression = CoreData.NSExpression
