import Foundation
import StrataQuakes
import Testing

@Suite struct FilePathTests {
  @Test(arguments: [
    "/", "/tmp", "/tmp/", "/tmp//x", "/tmp//", "/tmp/../x", "/tmp/a b", "/tmp/a%20b", "/tmp/ä?#", "x", "",
  ])
  func `filePath equals path for file URLs`(path: String) {
    for isDirectory in [false, true] {
      let url = URL(fileURLWithPath: path, isDirectory: isDirectory)
      #expect(url.filePath == url.path)
    }
    let relative = URL(fileURLWithPath: "x", relativeTo: URL(fileURLWithPath: "/tmp/folder", isDirectory: true))
    #expect(relative.filePath == relative.path)
  }

  @Test(arguments: ["file:///tmp/x?y", "file:///tmp/%78#y", "file://localhost/tmp/x", "http://localhost/tmp/x"])
  func `filePath equals path for parsed URLs`(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(url.filePath == url.path)
  }
}
