import Foundation
import StrataSupport
import Testing

/// Property lists as Foundation writes and reads them.
@Suite struct BinaryPropertyListTests {
  private func value(_ value: Any) throws -> BinaryPropertyList.Value? {
    let data = try PropertyListSerialization.data(fromPropertyList: ["v": value], format: .binary, options: 0)
    let list = try #require(BinaryPropertyList(Array(data)))
    guard case .dictionary(let pairs) = list.value(list.top), let pair = pairs.first else { return nil }
    return list.value(pair.value)
  }

  @Test(arguments: [0, 1, 255, 256, 65_535, 65_536, 4_294_967_296, Int64.max, -1, Int64.min])
  func `integers are read as Foundation writes them`(_ number: Int64) throws {
    guard case .integer(let read) = try value(number) else { return #expect(Bool(false)) }
    #expect(read == number)
  }

  @Test(arguments: ["", "Quake", "Überraschung 🌍", String(repeating: "long ", count: 60)])
  func `strings are read as Foundation writes them`(_ text: String) throws {
    guard case .string(let read) = try value(text) else { return #expect(Bool(false)) }
    #expect(read == text)
  }

  @Test func `other values are read as Foundation writes them`() throws {
    guard case .boolean(true) = try value(true), case .real(0.1) = try value(0.1),
      case .date(5) = try value(Date(timeIntervalSinceReferenceDate: 5)),
      case .data(Data([1, 2, 3])) = try value(Data([1, 2, 3])), case .array(let members) = try value([1, 2, 3])
    else { return #expect(Bool(false)) }
    #expect(members.count == 3)
  }

  /// A list that is decoded very often is refused, because it may be exponentially nested.
  @Test func `objects of a keyed archive are decoded once`() throws {
    let contents = NSDictionary(dictionary: ["place": "Ridgecrest", "depth": 8])
    let data = try NSKeyedArchiver.archivedData(withRootObject: contents, requiringSecureCoding: true)
    let archive = try #require(KeyedArchive(Array(data)))
    for _ in 0..<50_000 where archive.object(archive.root)?.pairs.count != 2 { Issue.record("an entry is missing") }
    try archive.refuseSpent(file: "archive")
  }

  @Test func `a written property list can be read by Foundation`() throws {
    let long = (0..<300).map { PropertyListNode.integer($0) }
    let bytes = BinaryPropertyListWriter.bytes(
      of: .dictionary([
        ("text", .string("é")), ("flag", .boolean(true)), ("real", .real(0.1)), ("data", .data(Data([7]))),
        ("long", .array(long)), ("negative", .integer(-7)), ("again", .string("text")),
      ]))
    let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any]
    #expect(list?["text"] as? String == "é" && list?["flag"] as? Bool == true && list?["real"] as? Double == 0.1)
    #expect(list?["data"] as? Data == Data([7]) && list?["negative"] as? Int == -7)
    #expect(list?["long"] as? [Int] == Array(0..<300) && list?["again"] as? String == "text")
  }

  /// Returns a list of arrays, each of which contains the next one `width` times. The last one contains a text.
  private func bomb(depth: Int, width: Int) -> [UInt8] {
    var objects: [[UInt8]] = (0..<depth).map { level in
      [0xAF, 0x11, UInt8(width >> 8), UInt8(width & 0xFF)] + [UInt8](repeating: UInt8(level + 1), count: width)
    }
    objects.append([0x51, 0x61])
    var (bytes, offsets): ([UInt8], [UInt8]) = (Array("bplist00".utf8), [])
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let table = UInt64(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [UInt64(objects.count), 0, table] { bytes += withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    return bytes
  }

  @Test func `an exponentially nested property list is refused`() throws {
    let small = try #require(BinaryPropertyList(bomb(depth: 3, width: 2)))
    #expect(small.isWhole && small.plain != nil)
    for (depth, width) in [(11, 1_000), (60, 2)] {
      let list = try #require(BinaryPropertyList(bomb(depth: depth, width: width)))
      #expect(!list.isWhole)
      #expect(list.plain == nil)
    }
  }

  /// Swift compares these strings as equal.
  @Test func `canonically equivalent strings stay distinct`() throws {
    let texts = ["é", "e\u{301}", "é"]
    let list = BinaryPropertyList(BinaryPropertyListWriter.bytes(of: .array(texts.map { .string($0) })))
    let read = try #require(list?.plain as? [String])
    #expect(read.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
    var writer = KeyedArchiveWriter()
    let members = texts.map { writer.text($0) }
    let root = writer.list(["NSArray"], members: members)
    let archive = try #require(KeyedArchive(writer.bytes(root: root)))
    let archived = try #require(archive.object(archive.root)).members.compactMap(archive.text)
    #expect(archived.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
  }

  @Test func `the first value of a duplicate key wins`() throws {
    let bytes = BinaryPropertyListWriter.bytes(
      of: .dictionary([("a", .integer(1)), ("b", .integer(2)), ("a", .integer(3))]))
    let theirs = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Int]
    let ours = try #require(BinaryPropertyList(bytes)).plain as? [String: Int]
    #expect(ours == theirs && ours == ["a": 1, "b": 2])
  }

  /// If the reference were skipped, the values would belong to other keys.
  @Test func `an invalid reference invalidates its collection`() throws {
    func reference(_ number: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
    let keys = [UInt64.max, 1]
    let values: [UInt64] = [2, 3]
    let objects: [[UInt8]] = [[0xD2] + (keys + values).flatMap(reference), [0x51, 0x61], [0x10, 5], [0x10, 6]]
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt64(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 8] + reference(4) + reference(0) + reference(table)
    let list = try #require(BinaryPropertyList(bytes))
    #expect(list.value(0) == nil && list.plain == nil)
  }
}
