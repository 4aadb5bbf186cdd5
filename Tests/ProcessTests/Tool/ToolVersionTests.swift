import StrataTestSupport
import Testing

@Suite(.waitsForProcesses) struct ToolVersionTests {
  @Test func `all programs have the same version`() throws {
    let home = try Home()
    let versions = try ["coredata", "quakes", "quakes-fetch", "quakes-summary"].map { name in
      let program = try Program(name, ["--version"], home: home.url)
      #expect(program.status() == 0)
      return program.lines.first
    }
    #expect(Set(versions).count == 1)
    #expect(versions[0]?.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
  }
}
