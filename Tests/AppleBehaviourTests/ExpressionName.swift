import CoreData

/// Foundation for Linux has classes of these names too, which it calls deprecated.
typealias NSExpression = Predicates.NSExpression
typealias NSComparisonPredicate = Predicates.NSComparisonPredicate
