import StrataPorting
import StrataTestSupport
import Testing

/// Folders of sources and models.
struct SourceFolderTests {
  @Test func `a folder that cannot be listed is reported`() throws {
    let folder = try TemporaryFolder()
    let missing = folder.file("Models")
    let error = #expect(throws: PortError.self) { try PortRun(sources: [], folder: missing) }
    #expect(error?.message == "cannot read the folder '\(missing)'")
  }
}
