import Foundation
import StrataTestSupport
import Testing

/// Concurrency debugging, enabled as on Apple's systems.
@Suite(.waitsForProcesses) struct ConcurrencyDebugTests {
  private func useOnWrongQueue(_ arguments: String...) throws -> (status: Int32?, errors: String) {
    let home = try Home()
    let probe = try Program("strata-store-probe", ["stray", home.url.path, "1"] + arguments, home: home.url)
    return (probe.status(), probe.errorText)
  }

  @Test func `the argument stops a use on the wrong queue`() throws {
    let (status, errors) = try useOnWrongQueue("-com.apple.CoreData.ConcurrencyDebug", "1")
    #expect(status != 0)
    #expect(
      errors.contains("__Multithreading_Violation_AllThatIsLeftToUsIsHonor__]: NSManagedObjectContext.hasChanges"))
  }

  @Test func `with the argument 0, a use on the wrong queue is not stopped`() throws {
    #expect(try useOnWrongQueue("-com.apple.CoreData.ConcurrencyDebug", "0").status == 0)
  }

  @Test func `without the argument, a debug build stops a use on the wrong queue`() throws {
    #if DEBUG
    #expect(try useOnWrongQueue().status != 0)
    #else
    #expect(try useOnWrongQueue().status == 0)
    #endif
  }
}
