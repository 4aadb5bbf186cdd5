import Foundation
import StrataTestSupport
import Testing

@testable import StrataPorting

/// The paths of a diff.
struct PatchPathsTests {
  private let folder: TemporaryFolder
  private let root: String

  init() throws {
    folder = try TemporaryFolder()
    root = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
    try FileManager.default.createDirectory(atPath: root + "/Package/Sources", withIntermediateDirectories: true)
  }

  @Test func `paths are relative to the working directory`() {
    let files = ["A.swift", "./Sources/B.swift", root + "/Package/Sources/C.swift", "../Package/D.swift"]
    let paths = PatchPaths(files, workingDirectory: root + "/Package").paths
    #expect(paths == ["A.swift", "Sources/B.swift", "Sources/C.swift", "D.swift"])
  }

  @Test func `paths are relative to the root for files outside of the working directory`() {
    let paths = PatchPaths(["A.swift", "../B.swift"], workingDirectory: root + "/Package").paths
    #expect(paths == ["\(root.dropFirst())/Package/A.swift", "\(root.dropFirst())/B.swift"])
    #expect(PatchPaths(["/a/B.swift"], workingDirectory: "/").paths == ["a/B.swift"])
  }

  @Test func `a link has the path of its file`() throws {
    let (link, file) = (root + "/Package/Link.swift", root + "/Package/Sources/A.swift")
    try Data().write(to: URL(fileURLWithPath: file))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "Sources/A.swift")
    #expect(PatchPaths([link], workingDirectory: root + "/Package").paths == ["Sources/A.swift"])
  }
}
