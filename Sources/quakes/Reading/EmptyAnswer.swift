import CoreData
import Foundation
import StrataQuakes

/// Why nothing was found: how many earthquakes there are, and what took them away.
struct EmptyAnswer {
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
    // That almost all are listed says nothing.
    let left = steps.dropFirst().filter { !$0.words.hasPrefix("listed") || $0.count == 0 }
      .map { ", of these \($0.count == 0 ? "none" : String($0.count)) \($0.words)" }
    let funnel = "the store has \(CountText.of(all.count, "earthquake"))" + left.joined()
    return isOfThePast
      ? "nothing that matches was known then; today \(funnel); choose a later --as-of or other limits"
      : "no earthquake matches: \(funnel); change that limit or leave it out"
  }
}
