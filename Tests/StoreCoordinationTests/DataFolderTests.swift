import Foundation
import StrataStoreCoordination
import StrataTestSupport
import Testing

@Suite struct DataFolderTests {
  private func folder(_ environment: [String: String]) -> String? { DataFolder.ofUser { environment[$0] } }

  @Test func `the data folder depends on the environment`() {
    #expect(folder(["HOME": "/home/a"]) == "/home/a/.local/share")
    #expect(folder(["HOME": "/"]) == "/.local/share")
    #expect(folder(["HOME": "/home/a", "XDG_DATA_HOME": "/data/"]) == "/data")
    #expect(folder(["HOME": "/home/a", "XDG_DATA_HOME": "relative"]) == "/home/a/.local/share")
    #expect(folder(["HOME": "/home/a", "XDG_DATA_HOME": ""]) == "/home/a/.local/share")
    #expect(DataFolder.ofProgram("a") { ["HOME": "/home/a"][$0] } == "/home/a/.local/share/a")
  }

  @Test func `a program is named after its file`() {
    #expect(DataFolder.programName(file: "/usr/bin/quakes") == "quakes")
    #expect(DataFolder.programName(file: "/opt/my app/näme 2.0") == "näme 2.0")
    #expect(
      DataFolder.programName(file: "/usr/bin/quakes (deleted)") == "quakes",
      "The file was replaced while the program runs.")
    #expect(!DataFolder.programName().isEmpty)
  }

  @Test func `only a missing standard folder is created for a store`() throws {
    let home = try TemporaryFolder.make()
    let documents = home.appendingPathComponent("Documents", isDirectory: true)
    let caches = home.appendingPathComponent(".cache/deep", isDirectory: true)
    for (file, isCreated) in [
      (documents.appendingPathComponent("below/A.sqlite"), false),
      (home.appendingPathComponent("other/A.sqlite"), false),
      (documents.appendingPathComponent("A.sqlite"), true), (caches.appendingPathComponent("A.sqlite"), true),
    ] {
      StandardFolder.make(for: file) { [documents, caches] }
      #expect(FileManager.default.fileExists(atPath: file.deletingLastPathComponent().path) == isCreated)
    }
    let mode = try FileManager.default.attributesOfItem(atPath: documents.path)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    #expect(StandardFolder.ofUser().count >= 3)
  }
}
