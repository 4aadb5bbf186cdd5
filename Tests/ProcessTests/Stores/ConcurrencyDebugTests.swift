import Foundation
import StrataTestSupport
import Testing

/// Concurrency debugging, enabled as on Apple's systems.
@Suite(.waitsForProcesses) struct ConcurrencyDebugTests {
  private func stray(_ arguments: String...) throws -> (status: Int32?, errors: String) {
    let home = try Home()
    let probe = try Program("strata-store-probe", ["stray", home.url.path, "1"] + arguments, home: home.url)
    return (probe.status(), probe.errorText)
  }

  @Test func theArgumentStopsAUseOnAWrongQueue() throws {
    let (status, errors) = try stray("-com.apple.CoreData.ConcurrencyDebug", "1")
    #expect(status != 0)
    #expect(
      errors.contains("__Multithreading_Violation_AllThatIsLeftToUsIsHonor__]: NSManagedObjectContext.hasChanges"))
  }

  @Test func withoutItNothingIsStopped() throws {
    #expect(try stray().status == 0)
    #expect(try stray("-com.apple.CoreData.ConcurrencyDebug", "0").status == 0)
  }
}
