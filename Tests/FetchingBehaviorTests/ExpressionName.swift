import CoreData

/// Foundation on Linux has deprecated classes of these names too.
typealias NSExpression = CoreData.NSExpression
typealias NSComparisonPredicate = CoreData.NSComparisonPredicate
