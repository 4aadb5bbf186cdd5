import CoreData
import Foundation
import StrataQuakes

extension BodyImport {
  /// Joins the reports that this body touched to those of other services.
  mutating func settleReports() throws {
    guard let times = touchedTimes, try hasOtherServices() else { return }
    var settlement = ReportSettlement(context: context, limits: limits, now: now)
    settlement.checkStop = checkStop
    do {
      try settlement.settle(times)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure.reading(location, error: error)
    }
    report.joined += settlement.joined
    report.separated += settlement.separated
  }

  /// Whether the store has reports of another service than this body's.
  private func hasOtherServices() throws -> Bool {
    let request: NSFetchRequest<Quake> = Quake.fetchRequest()
    request.predicate = NSPredicate(format: "service != %@", argumentArray: [metadata.service])
    request.fetchLimit = 1
    request.includesPendingChanges = false
    do {
      return try context.count(for: request) > 0
    } catch {
      throw Failure.reading(location, error: error)
    }
  }
}
