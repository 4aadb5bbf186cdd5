import Foundation
import StrataStoreCoordination
import Testing

@Suite struct GroupContainerTests {
  private let base = FileManager.default.temporaryDirectory.path + "/containers-\(UUID().uuidString)"

  private func withBase(_ body: () throws -> Void) throws {
    defer { try? FileManager.default.removeItem(atPath: base) }
    try body()
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func refusal(_ identifier: String) throws -> String {
    let error = #expect(throws: GroupContainer.Refusal.self) {
      try GroupContainer.folder(for: identifier, in: base)
    }
    return error?.message ?? ""
  }

  @Test func `a group container is created for its user only`() throws {
    try withBase {
      let url = try GroupContainer.folder(for: "group.org.example", in: base + "/deep/down")
      #expect(url.path == base + "/deep/down/group.org.example")
      #expect(url.hasDirectoryPath)
      #expect(try mode(url.path) == 0o700)
      #expect(try mode(base) == 0o700)
      #expect(try GroupContainer.folder(for: "group.org.example", in: base + "/deep/down") == url)
    }
  }

  @Test(arguments: ["", ".", "..", "a/b", "../a", "/etc", "a\0b", String(repeating: "ä", count: 128)])
  func `an identifier that is not a file name is rejected`(_ identifier: String) throws {
    #expect(try refusal(identifier).contains("group identifier"))
    #expect(!FileManager.default.fileExists(atPath: base))
  }

  @Test func `a symbolic link is rejected`() throws {
    try withBase {
      try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: base + "/group.a", withDestinationPath: "/tmp")
      #expect(try refusal("group.a").contains("symbolic link"))
    }
  }

  @Test func `a folder that others can write to is rejected`() throws {
    try withBase {
      let path = try GroupContainer.folder(for: "group.a", in: base).path
      for open in [0o770, 0o702] {
        #expect(chmod(path, mode_t(open)) == 0)
        #expect(try refusal("group.a").contains("chmod 700 '\(path)'"))
      }
      #expect(chmod(path, 0o750) == 0)
      #expect(try GroupContainer.folder(for: "group.a", in: base).path == path)
    }
  }

  @Test func `a folder of another user is rejected`() throws {
    try withBase {
      let path = try GroupContainer.folder(for: "group.a", in: base).path
      // Only root can change a folder's owner.
      guard chown(path, 12345, 12345) == 0 else { return }
      #expect(try refusal("group.a").contains("belongs to user 12345"))
    }
  }

  @Test func `a file instead of a folder is reported`() throws {
    try withBase {
      try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
      _ = FileManager.default.createFile(atPath: base + "/group.a", contents: nil)
      #expect(try refusal("group.a").contains("not a folder"))
      let error = #expect(throws: GroupContainer.Refusal.self) {
        try GroupContainer.folder(for: "group.b", in: base + "/group.a")
      }
      #expect(error?.code == ENOTDIR)
    }
  }

  @Test func `the base folder depends on the environment`() throws {
    func base(_ environment: [String: String]) throws -> String {
      try GroupContainer.base { environment[$0] }
    }
    #expect(try base(["HOME": "/home/a"]) == "/home/a/.local/share/group-containers")
    #expect(try base(["HOME": "/home/a", "XDG_DATA_HOME": "/data"]) == "/data/group-containers")
    #expect(
      try base(["HOME": "/home/a", "XDG_DATA_HOME": "relative"]) == "/home/a/.local/share/group-containers")
    #expect(try base(["XDG_DATA_HOME": "/data", "STRATA_GROUP_CONTAINERS": "/srv/groups"]) == "/srv/groups")
    #expect(throws: GroupContainer.Refusal.self) { try base(["STRATA_GROUP_CONTAINERS": "groups"]) }
  }

  @Test func `the file manager returns nil for an invalid group`() {
    #expect(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "no/group") == nil)
  }
}
