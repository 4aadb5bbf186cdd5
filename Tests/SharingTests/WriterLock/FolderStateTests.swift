import Foundation
import StrataSharing
import StrataTestSupport
import Testing

@Suite struct FolderStateTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["store", "other"] { try Data(name.utf8).write(to: file(name)) }
  }

  private func file(_ name: String) -> URL { URL(fileURLWithPath: folder.file(name)) }

  /// The folder's state once its last change is distinguishable from the next.
  private func settled() throws -> FolderState {
    let deadline = Date() + 60
    while Date() < deadline {
      if let state = FolderState(of: folder.path) { return state }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return try #require(FolderState(of: folder.path))
  }

  @Test func `changes of names change the folder state`() throws {
    let manager = FileManager.default
    let changes: [() throws -> Void] = [
      { try manager.moveItem(at: file("store"), to: file("away")) },
      { try manager.moveItem(at: file("away"), to: file("store")) },
      { #expect(rename(file("other").path, file("store").path) == 0) },
      { try manager.removeItem(at: file("store")) },
      { try Data().write(to: file("store"), options: .withoutOverwriting) },
    ]
    for change in changes {
      let before = try settled()
      try change()
      #expect(try settled() != before)
    }
  }

  @Test func `writes to files do not change the folder state`() throws {
    let before = try settled()
    let handle = try FileHandle(forWritingTo: file("store"))
    try handle.write(contentsOf: Data("new".utf8))
    try handle.close()
    #expect(utimes(file("other").path, nil) == 0)
    #expect(FolderState(of: folder.path) == before)
  }

  /// Programs that restore a folder set its times back.
  @Test func `times that are set back change the folder state`() throws {
    let before = try settled()
    var times = [timeval(), timeval()]
    #expect(utimes(folder.path, &times) == 0)
    #expect(try settled() != before)
  }

  @Test func `a deleted folder has no state`() { #expect(FolderState(of: folder.path + "/none") == nil) }
}
