import CoreData

/// Foundation on Linux has a deprecated class of this name too.
typealias NSExpression = CoreData.NSExpression
