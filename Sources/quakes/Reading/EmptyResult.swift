import CoreData
import Foundation
import StrataQuakes

/// Why nothing was found: how many earthquakes there are, and what took them away.
struct EmptyResult {
  private let steps: [FilterStep]
  private let isOfThePast: Bool

  init(
    _ filter: QuakeFilter, asOf time: Date?, in context: NSManagedObjectContext, style: DisplayStyle = DisplayStyle()
  ) throws {
    steps = try filter.steps(in: context, style: style)
    isOfThePast = time != nil
  }

  func text(of location: StoreLocation) -> String {
    guard let all = steps.first, all.count > 0 else {
      return "the store in \(location.folder.path) contains no earthquakes yet; run \"quakes workers start\""
    }
    // Lists count only what they list; retracted ones are mentioned if there is nothing else.
    let listed = steps.dropFirst().first.flatMap { $0.count > 0 ? $0 : nil }
    let left = steps.dropFirst(listed == nil ? 1 : 2)
      .map { ", of these \($0.count == 0 ? "none" : String($0.count)) \($0.words)" }
    let funnel = "the store has \(CountText.of((listed ?? all).count, "earthquake"))" + left.joined()
    return isOfThePast
      ? "no matching earthquake was known then; today \(funnel); choose a later --as-of or other limits"
      : "no earthquake matches: \(funnel); change or remove that limit"
  }
}
