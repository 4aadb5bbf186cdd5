import Foundation
import StrataFileFormats
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
  func integers(_ number: Int64) throws {
    guard case .integer(let read) = try value(number) else { return #expect(Bool(false)) }
    #expect(read == number)
  }

  @Test(arguments: ["", "Quake", "Überraschung 🌍", String(repeating: "long ", count: 60)])
  func texts(_ text: String) throws {
    guard case .string(let read) = try value(text) else { return #expect(Bool(false)) }
    #expect(read == text)
  }

  @Test func otherValues() throws {
    guard case .boolean(true) = try value(true), case .real(0.1) = try value(0.1),
      case .date(5) = try value(Date(timeIntervalSinceReferenceDate: 5)),
      case .data(Data([1, 2, 3])) = try value(Data([1, 2, 3])), case .array(let members) = try value([1, 2, 3])
    else { return #expect(Bool(false)) }
    #expect(members.count == 3)
  }

  @Test func foundationReadsWhatIsWritten() throws {
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
}
