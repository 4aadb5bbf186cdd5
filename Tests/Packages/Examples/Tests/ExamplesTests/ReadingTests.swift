import Foundation
import Testing

struct ReadingTests {
  @Test func `books are saved and listed by title`() async throws {
    let home = try TemporaryFolder()
    func lines(_ arguments: String...) async throws -> [String] {
      let program = try Program("reading", arguments, home: home)
      #expect(await program.status() == 0)
      #expect(program.errorLines == [])
      return program.lines
    }
    #expect(try await lines() == [])
    #expect(try await lines("Principia", "Newton", "510") == ["Newton Principia 510"])
    #expect(try await lines("Opticks", "Newton", "373") == ["Newton Opticks 373", "Newton Principia 510"])
    #expect(try await lines("Leaflet", "Anonymous", "4") == ["Newton Opticks 373", "Newton Principia 510"])
    let store = home.url.appendingPathComponent(".local/share/reading/Reading.sqlite")
    #expect(FileManager.default.fileExists(atPath: store.path))
  }
}
