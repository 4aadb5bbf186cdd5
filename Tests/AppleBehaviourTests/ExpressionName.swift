import CoreData

/// Foundation for Linux has a class of the name too, which it calls deprecated.
typealias NSExpression = Predicates.NSExpression
