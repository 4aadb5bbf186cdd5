import Foundation
import StrataSupport
import StrataTestSupport
import Testing

@Suite struct StorePermissionsTests {
  @Test func `files and folders next to a store get the permissions of the store`() throws {
    let folder = try TemporaryFolder()
    let store = folder.file()
    for mode: mode_t in [0o600, 0o640, 0o664] {
      try #require(FileManager.default.createFile(atPath: store, contents: nil))
      try #require(chmod(store, mode) == 0)
      let file = open(folder.file("b"), O_WRONLY | O_CREAT, 0o600)
      defer { close(file) }
      StorePermissions.copy(ofStore: store, to: file)
      #expect(try permissions(folder.file("b")) == mode)
      try FileManager.default.createDirectory(atPath: folder.file("d"), withIntermediateDirectories: true)
      let opened = open(folder.file("d"), O_RDONLY | O_DIRECTORY)
      defer { close(opened) }
      StorePermissions.copy(ofStore: store, toFolder: opened)
      #expect(try permissions(folder.file("d")) == mode | (mode & 0o444) >> 2)
    }
  }

  private func permissions(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode & 0o777
  }

  /// The owner could not open such files.
  @Test func `a store without write permission gets no files next to it`() throws {
    let folder = try TemporaryFolder(in: URL(fileURLWithPath: "/tmp"))
    let store = folder.file()
    #expect(StorePermissions.mayCreate(besideStore: store))
    try #require(FileManager.default.createFile(atPath: store, contents: nil))
    #expect(StorePermissions.mayCreate(besideStore: store))
    try #require(chmod(folder.path, 0o755) == 0 && chmod(store, 0o444) == 0)
    #expect(asStranger { StorePermissions.mayCreate(besideStore: store) } == false)
  }
}
