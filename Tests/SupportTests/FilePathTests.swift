import Foundation
import StrataSupport
import Testing

@Suite struct FilePathTests {
  @Test(arguments: [
    "/", "/tmp", "/tmp/", "/tmp//x", "/tmp/./x", "/tmp/../x", "/tmp/.x", "/tmp/x.", "/tmp/..x", "/tmp/a b",
    "/tmp/a%20b",
    "/tmp/a?b", "/tmp/a#b", "/tmp/a;b", "/tmp/ä", "/dev/null", "/dev/null/name", "x", "./x", "../x", "~", "",
  ])
  func `a standardized file path equals that of Foundation`(path: String) {
    for isDirectory in [false, true] {
      let url = URL(fileURLWithPath: path, isDirectory: isDirectory)
      #expect(url.standardizedPath == url.standardizedFileURL.path)
    }
  }

  @Test(arguments: [
    "file:/tmp/x", "file:///tmp/x", "file:///tmp/%78", "file://localhost/tmp/x", "file:///tmp/x?y", "file:///tmp/x#y",
    "file:x", "http://localhost/tmp/x", "file:///", "file://",
  ])
  func `the standardized path of a parsed URL equals that of Foundation`(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(url.standardizedPath == url.standardizedFileURL.path)
  }

  @Test func `the standardized path of a relative URL equals that of Foundation`() {
    let folder = URL(fileURLWithPath: "/tmp/folder", isDirectory: true)
    for path in ["x", "../x", "x/", "./x"] {
      let url = URL(fileURLWithPath: path, relativeTo: folder)
      #expect(url.standardizedPath == url.standardizedFileURL.path)
    }
  }
}
