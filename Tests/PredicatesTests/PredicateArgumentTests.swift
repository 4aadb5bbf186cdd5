import Foundation
import StrataPredicates
import Testing

@Suite struct PredicateArgumentTests {
  private func value(_ argument: Any?, _ format: String = "%@") throws -> PredicateValue? {
    let tree = try PredicateParser.tree("a == \(format)", arguments: [argument])
    guard case .value(let value)? = tree.comparisons.first?.right else { return nil }
    return value
  }

  @Test func `Swift values become constants`() throws {
    #expect(try value(nil) == .null)
    #expect(try value("x") == .string("x"))
    #expect(try value("xyz".dropFirst()) == .string("yz"))
    #expect(try value(true) == .bool(true))
    for integer: Any in [7, Int8(7), Int16(7), Int32(7), Int64(7), UInt(7), UInt8(7), UInt16(7), UInt32(7), UInt64(7)] {
      #expect(try value(integer) == .integer(7))
    }
    #expect(try value(UInt64.max) == .decimal(Decimal(UInt64.max)))
    for real: Any in [4.5, Float(4.5), CGFloat(4.5)] { #expect(try value(real) == .real(4.5)) }
    #expect(try value(Decimal(string: "1.25")) == .decimal(Decimal(string: "1.25") ?? 0))
    let date = Date(timeIntervalSinceReferenceDate: 5)
    #expect(try value(date) == .date(date))
    #expect(try value(Data([1, 2])) == .data(Data([1, 2])))
    let id = UUID()
    #expect(try value(id) == .uuid(id))
    let url = URL(filePath: "/tmp")
    #expect(try value(url) == .url(url))
  }

  @Test func `Foundation objects become constants`() throws {
    #expect(try value(NSNull()) == .null)
    #expect(try value(NSString("x")) == .string("x"))
    #expect(try value(NSNumber(value: true)) == .bool(true))
    #expect(try value(NSNumber(value: 1)) == .integer(1))
    #expect(try value(NSNumber(value: Int8(1))) == .integer(1))
    #expect(try value(NSNumber(value: 1.0)) == .real(1))
    #expect(try value(NSNumber(value: Float(0.5))) == .real(0.5))
    #expect(try value(NSNumber(value: UInt64.max)) == .decimal(Decimal(UInt64.max)))
    #expect(try value(NSDecimalNumber(value: 2)) == .decimal(2))
    #expect(try value(NSDate(timeIntervalSinceReferenceDate: 5)) == .date(Date(timeIntervalSinceReferenceDate: 5)))
    #expect(try value(NSData(data: Data([1]))) == .data(Data([1])))
    #expect(try value(NSArray(array: [1, "b"])) == .list([.integer(1), .string("b")]))
    #expect(try value(NSOrderedSet(array: [2, 1])) == .list([.integer(2), .integer(1)]))
    #expect(try value(NSSet(array: [2, 1, 3])) == .list([.integer(1), .integer(2), .integer(3)]))
  }

  @Test func `lists and optionals are unwrapped`() throws {
    #expect(try value([1, 2]) == .list([.integer(1), .integer(2)]))
    #expect(try value(["b", nil]) == .list([.string("b"), .null]))
    #expect(try value(Set(["b", "a"])) == .list([.string("a"), .string("b")]))
    #expect(try value([1, 2, 3][1...]) == .list([.integer(2), .integer(3)]))
    #expect(try value([] as [String]) == .list([]))
    let name: String? = "x"
    let absent: String? = nil
    #expect(try value(name as Any) == .string("x"))
    #expect(try value(absent as Any) == .null)
    #expect(try value(AnyHashable(3)) == .integer(3))
  }

  @Test func `other objects become references`() throws {
    let quake = Quake()
    #expect(try value(quake) == .reference(PredicateReference(quake)))
    #expect(try value([quake]) == .list([.reference(PredicateReference(quake))]))
  }

  @Test(arguments: ["%d", "%i", "%u", "%ld", "%lu", "%lld", "%llu", "%hd", "%hhd", "%zd", "%qd", "%x"])
  func `integer formats take any number`(format: String) throws {
    #expect(try value(7, format) == .integer(7))
    #expect(try value(Int32(7), format) == .integer(7))
    #expect(try value(NSNumber(value: 7), format) == .integer(7))
    #expect(try value(true, format) == .integer(1))
  }

  @Test(arguments: ["%f", "%lf", "%g", "%e", "%Lf"])
  func `real formats create real numbers`(format: String) throws {
    #expect(try value(4.5, format) == .real(4.5))
    #expect(try value(4, format) == .real(4))
  }

  @Test func `key path arguments are split and are not keywords`() throws {
    #expect(
      try PredicateParser.tree("%K == %@ AND %K.name == 'x'", arguments: ["a.b", 1, "in"])
        == .and([
          .comparison(ComparisonNode(.keyPath(["a", "b"]), .equal, .value(.integer(1)))),
          .comparison(ComparisonNode(.keyPath(["in", "name"]), .equal, .value(.string("x")))),
        ]))
    #expect(try PredicateParser.tree("%K == 1", arguments: ["SELF"]).comparisons.first?.left == .evaluatedObject)
  }

  @Test func `arguments are taken in order, also inside brackets`() throws {
    let tree = try PredicateParser.tree("(a == %@ OR (b == %@)) AND (%K) == %@", arguments: [1, 2, "c", 3])
    #expect(tree.description == "(a == 1 OR b == 2) AND c == 3")
  }
}
