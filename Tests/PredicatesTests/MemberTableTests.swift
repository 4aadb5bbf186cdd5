import Foundation
import StrataPredicates
import StrataTestSupport
import Testing

/// `IN` with a long list, which uses a hash table, gives the same results as single comparisons.
@Suite struct MemberTableTests {
  private static let texts = ["a", "A", "é", "e\u{301}", "E", "", "ß", "SS", "straße", "x y", "http://a.b", "1"]

  private func value(_ random: inout some RandomNumberGenerator) -> PredicateValue {
    let integers: [Int64] = [0, 1, 2, -1, 1 << 53, (1 << 53) + 1, .max, .min]
    let reals: [Double] = [0, -0.0, 1, 0.1, 0x1p53, 0x1p63, .nan, .infinity, -1]
    let decimals = ["0", "1", "0.1", "9007199254740993", "1e30", "-1"].compactMap { Decimal(string: $0) }
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .integer(integers.randomElement(using: &random) ?? 0)
    case 3: return .real(reals.randomElement(using: &random) ?? 0)
    case 4: return .decimal(decimals.randomElement(using: &random) ?? 0)
    case 5, 6: return .string(Self.texts.randomElement(using: &random) ?? "")
    case 7: return .date(Date(timeIntervalSinceReferenceDate: reals.dropLast(3).randomElement(using: &random) ?? 0))
    case 8: return .data(Data((Self.texts.randomElement(using: &random) ?? "").utf8))
    case 9: return .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, .random(in: 0..<3, using: &random))))
    case 10: return URL(string: "http://a.b").map { .url($0) } ?? .null
    default: return .row(UInt64.random(in: 0..<3, using: &random))
    }
  }

  @Test(
    arguments: [[], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]]
      as [ComparisonNode.Options])
  func `a long list gives the same result as its comparisons`(_ options: ComparisonNode.Options) throws {
    var random = SeededRandom()
    var results: Set<Bool> = []
    for _ in 0..<400 {
      let pool = (0..<Int.random(in: 1...6, using: &random)).map { _ in value(&random) }
      let list = (0..<Int.random(in: 17...40, using: &random)).map { _ in pool.randomElement(using: &random) ?? .null }
      let members = list + (Bool.random(using: &random) ? [.list(pool)] : [])
      let node = PredicateNode.comparison(
        ComparisonNode(.evaluatedObject, .in, .value(.list(members)), options: options))
      let plain = PredicateNode.or(
        members.map { .comparison(ComparisonNode(.evaluatedObject, .equal, .value($0), options: options)) })
      for _ in 0..<10 {
        let left = Bool.random(using: &random) ? value(&random) : list.randomElement(using: &random) ?? .null
        let expected = try plain.evaluate(on: .value(left))
        #expect(try node.evaluate(on: .value(left)) == expected, "\(left) in \(members), \(options.rawValue)")
        results.insert(expected)
      }
      let whole = PredicateResult.value(.list(pool))
      #expect(try node.evaluate(on: whole) == plain.evaluate(on: whole))
    }
    #expect(results == [true, false])
  }

  @Test func `changing a comparison updates its hash table`() throws {
    var comparison = ComparisonNode(.evaluatedObject, .in, .value(.list((0..<100).map { .integer($0) })))
    #expect(try PredicateNode.comparison(comparison).evaluate(on: .value(.integer(99))))
    comparison.right = .value(.list((100..<200).map { .integer($0) }))
    #expect(try !PredicateNode.comparison(comparison).evaluate(on: .value(.integer(99))))
    comparison.right = .value(.list((0..<20).map { .string("A\($0)") }))
    #expect(try !PredicateNode.comparison(comparison).evaluate(on: .value(.string("a7"))))
    comparison.options = .caseInsensitive
    #expect(try PredicateNode.comparison(comparison).evaluate(on: .value(.string("a7"))))
    #expect(comparison == comparison)
  }

  @Test func `evaluation does not change equality and hash`() throws {
    let make = { ComparisonNode(.evaluatedObject, .in, .value(.list((0..<50).map { .integer($0) }))) }
    let evaluated = make()
    _ = try PredicateNode.comparison(evaluated).evaluate(on: .value(.integer(3)))
    #expect(evaluated == make() && evaluated.hashValue == make().hashValue)
  }
}
