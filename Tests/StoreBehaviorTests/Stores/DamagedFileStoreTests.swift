import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// XML and binary files that are not stores, or are damaged.
@Suite struct DamagedFileStoreTests {
  @Test(arguments: FileStores.types) func `a damaged file throws a corrupt-file error`(_ type: String) throws {
    let url = try FileStores.file()
    try FileStores.fill(type, url, "a", "b")
    let whole = Array(try Data(contentsOf: url))
    var damaged = stride(from: 1, to: whole.count - 12, by: max(1, whole.count / 40)).map { Array(whole.prefix($0)) }
    damaged += [Array("SQLite format 3".utf8), Array("<database".utf8), [0, 1, 2, 3]]
    for bytes in damaged {
      try Data(bytes).write(to: url)
      let error = try #require(throws: CocoaError.self) { try FileStores.use(type, url) { _, _ in } }
      #expect(error.code == .fileReadCorruptFile, "\(bytes.count) bytes")
    }
    var random = SeededRandom()
    for _ in 0..<200 {
      var bytes = whole
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      try Data(bytes).write(to: url)
      // Any result will do, as long as it does not trap.
      _ = try? FileStores.use(type, url) { context, _ in try context.fetch("Quake").map { $0.value(forKey: "code") } }
    }
  }

  @Test(arguments: [
    ("unknown entity", #"<object type="MOON" id="z1"></object>"#),
    ("unknown property", #"<object type="TAG" id="z1"><attribute name="moon" type="string">x</attribute></object>"#),
    ("no number", #"<object type="QUAKE" id="z1"><attribute name="felt" type="int32">x</attribute></object>"#),
    ("no data", #"<object type="QUAKE" id="z1"><attribute name="wave" type="binary">%</attribute></object>"#),
    (
      "wrong entity",
      #"<object type="QUAKE" id="z1"><relationship name="tags" idrefs="z1"></relationship></object>"#
    ),
    ("twice", #"<object type="TAG" id="z1"></object><object type="TAG" id="z1"></object>"#),
    ("no id", #"<object type="TAG"></object>"#),
    ("an entity", "<object type=\"TAG\" id=\"z1\"><attribute name=\"name\">&lol;</attribute></object>"),
  ])
  func `content that does not match the model is treated as corrupt`(_ flaw: (what: String, objects: String)) throws {
    let url = try FileStores.file()
    try "<database>\(flaw.objects)</database>".write(to: url, atomically: true, encoding: .utf8)
    let error = try #require(throws: CocoaError.self) { try FileStores.use(NSXMLStoreType, url) { _, _ in } }
    #expect(error.code == .fileReadCorruptFile, "\(flaw.what)")
  }

  @Test func `entity declarations in a file are refused`() throws {
    let url = try FileStores.file()
    let bomb = """
      <?xml version="1.0"?>
      <!DOCTYPE database [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>
      <database><object type="TAG" id="z1"><attribute name="name">&b;</attribute></object></database>
      """
    try bomb.write(to: url, atomically: true, encoding: .utf8)
    #expect(throws: CocoaError.self) { try FileStores.use(NSXMLStoreType, url) { _, _ in } }
  }

  @Test func `an Apple binary store is refused with an explanation`() throws {
    let url = try FileStores.file()
    let archive: [String: Any] = ["$archiver": "NSKeyedArchiver", "$version": 100_000, "$objects": [String]()]
    try PropertyListSerialization.data(fromPropertyList: archive, format: .binary, options: 0).write(to: url)
    let error = try #require(throws: CocoaError.self) { try FileStores.use(NSBinaryStoreType, url) { _, _ in } }
    #expect(error.code == .fileReadCorruptFile && error.localizedDescription.contains("Apple"))
  }
}
