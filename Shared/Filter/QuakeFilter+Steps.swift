import CoreData
import Foundation

/// The result of one condition of a filter.
public struct FilterStep: Equatable, Sendable {
  /// Completes a sentence: `35 of these are …`; empty for all that is stored.
  public var words: String
  public var count: Int
}

extension QuakeFilter {
  /// How many earthquakes are left after each condition, one after the other, up to the first that leaves none.
  ///
  /// - Parameter style: of the words.
  /// - Throws: what `fetch` throws.
  public func steps(
    in context: NSManagedObjectContext, style: DisplayStyle = DisplayStyle()
  ) throws -> [FilterStep] {
    let request: NSFetchRequest<Quake> = Quake.fetchRequest()
    var steps = [FilterStep(words: "", count: try context.count(for: request))]
    var predicates: [NSPredicate] = []
    for condition in conditions(style) {
      guard let last = steps.last, last.count > 0 else { break }
      predicates.append(condition.predicate)
      request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
      steps.append(FilterStep(words: condition.words, count: try context.count(for: request)))
    }
    // The box around the circle contained matches, the circle does not.
    if circle != nil, let last = steps.last, last.count > 0 {
      steps.append(FilterStep(words: "in the circle itself", count: try Quake.count(self, in: context)))
    }
    return steps
  }
}
