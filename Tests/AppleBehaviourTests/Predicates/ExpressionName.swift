import CoreData

/// Foundation for Linux has classes of these names too, which it calls deprecated.
typealias NSExpression = CoreData.NSExpression
typealias NSComparisonPredicate = CoreData.NSComparisonPredicate
