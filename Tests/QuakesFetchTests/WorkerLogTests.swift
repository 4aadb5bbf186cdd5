import Foundation
import Testing

@testable import strata_quakes_fetch

@Suite("Lines carry the time once") struct WorkerLogTests {
  private func isTimed(_ stream: String?) -> Bool {
    WorkerLog(isTimed: true, environment: { $0 == "JOURNAL_STREAM" ? stream : nil }).isTimed
  }

  @Test func theJournalAddsTheTime() {
    var status = stat()
    fstat(STDERR_FILENO, &status)
    #expect(!isTimed("\(status.st_dev):\(status.st_ino)"))
    // A child of a service may write elsewhere.
    #expect(isTimed("\(status.st_dev):\(status.st_ino + 1)"))
    #expect(isTimed("") && isTimed(nil))
  }
}
