import Foundation
import StrataTestSupport
import Testing

@testable import StrataSystemChecks

/// The check of a folder that may be another user's (`coredata`) and of one that is private (`quakes`).
@Suite struct FolderCheckTests {
  private func findings(
    _ path: String, isPrivate: Bool = false, minimumBytes: UInt64 = 0, comfortableBytes: UInt64 = 0
  ) -> [Finding] {
    FolderCheck(
      path, isPrivate: isPrivate, harm: "replace stores", minimumBytes: minimumBytes,
      comfortableBytes: comfortableBytes, adviceIfMissing: "create it", adviceToMove: "choose another"
    ).findings
  }

  @Test func `a folder of this user is sound`() throws {
    let folder = try TemporaryFolder()
    try #require(chmod(folder.path, 0o700) == 0)
    let shared = findings(folder.path)
    #expect(shared.map(\.name) == ["folder", "file system", "space"])
    #expect(shared.first == Finding("folder", .ok, "'\(folder.path)' (700)"))
    let own = findings(folder.path, isPrivate: true)
    #expect(own.first == Finding("folder", .ok, "only you can write to '\(folder.path)' (700)"))
    #expect((shared + own).allSatisfy { $0.state == .ok }, "\(shared) \(own)")
  }

  @Test func `a folder that does not exist is the only finding`() throws {
    let path = try TemporaryFolder().file("none")
    let text = "cannot access '\(path)': No such file or directory"
    #expect(findings(path) == [Finding("folder", .fail, text, advice: "create it")])
  }

  @Test func `a file is not a folder`() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.url("file"))
    let finding = findings(folder.file("file")).first
    #expect(finding == Finding("folder", .fail, "'\(folder.file("file"))' is not a folder", advice: "choose another"))
  }

  @Test(arguments: [
    (mode_t(0o777), Finding.State.warn, Finding.State.fail), (0o702, .warn, .fail), (0o1777, .ok, .fail),
    (0o720, .ok, .fail), (0o755, .ok, .ok),
  ])
  func `folders that others can write to`(mode: mode_t, shared: Finding.State, own: Finding.State) throws {
    let folder = try TemporaryFolder()
    try #require(chmod(folder.path, mode) == 0)
    let found = [findings(folder.path), findings(folder.path, isPrivate: true)].compactMap(\.first)
    #expect(found.map(\.state) == [shared, own])
    for (finding, letters) in zip(found, ["o", "go"]) where finding.state != .ok {
      #expect(finding.text.hasPrefix("other users can write to '\(folder.path)'"))
      #expect(finding.advice?.contains("chmod \(letters)-w") == true)
    }
  }

  @Test(arguments: [
    (mode_t(0o300), Finding.State.fail, "cannot be read", "chmod u+rx"),
    (0o555, .warn, "cannot be written, so stores in it can only be read", "chmod u+w"),
  ])
  func `a folder without rights for this user`(
    mode: mode_t, state: Finding.State, text: String, advice: String
  ) throws {
    let folder = try TemporaryFolder(in: URL(fileURLWithPath: "/tmp"))
    let path = folder.path
    try #require(chmod(path, mode) == 0)
    defer { chmod(path, 0o700) }
    let found = try #require(asStranger { findings(path)[0] })
    #expect(found.state == state && found.text.hasSuffix(text), "\(found)")
    #expect(found.advice?.contains(advice) == true)
  }

  @Test func `a private folder of another user has its own advice`() {
    let found = asStranger { findings("/usr", isPrivate: true)[0] }
    #expect(found == Finding("folder", .warn, "'/usr' belongs to user 0, not to you", advice: "choose another"))
  }

  @Test func `the state of the free space depends on the limits`() throws {
    let folder = try TemporaryFolder()
    for (minimum, comfortable, state) in [
      (UInt64(0), UInt64(0), Finding.State.ok), (0, .max, .warn), (.max, .max, .fail),
    ] {
      let space = findings(folder.path, minimumBytes: minimum, comfortableBytes: comfortable).last
      #expect(space?.name == "space" && space?.state == state && space?.text.hasSuffix(" MiB free") == true)
    }
  }

  @Test(arguments: [
    ("ext4", Finding.State.ok), ("tmpfs", .ok), ("nfs4", .fail), ("fuseblk", .fail), ("fuse.sshfs", .fail),
    ("lustre", .warn),
  ])
  func `network file systems are found by their kind`(kind: String, state: Finding.State) {
    #expect(FolderCheck.state(ofFileSystem: kind) == state)
  }
}
