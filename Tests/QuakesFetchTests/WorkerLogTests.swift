import Foundation
import Testing

@testable import StrataQuakesFeeds

@Suite("Worker log") struct WorkerLogTests {
  private func isTimed(_ stream: String?) -> Bool {
    WorkerLog(isTimed: true, environment: { $0 == "JOURNAL_STREAM" ? stream : nil }).isTimed
  }

  @Test func `lines have no time if the journal adds it`() {
    var status = stat()
    fstat(STDERR_FILENO, &status)
    #expect(!isTimed("\(status.st_dev):\(status.st_ino)"))
    // A child process of a service may write to another file.
    #expect(isTimed("\(status.st_dev):\(status.st_ino + 1)"))
    #expect(isTimed("") && isTimed(nil))
  }
}
