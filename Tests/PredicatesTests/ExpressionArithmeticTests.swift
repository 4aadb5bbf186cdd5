import Foundation
import StrataPredicates
import Testing

@Suite struct ExpressionArithmeticTests {
  private typealias Value = PredicateValue

  @Test(
    arguments: [
      (.add, .integer(7), .integer(2), .integer(9)), (.subtract, .integer(7), .integer(2), .integer(5)),
      (.multiply, .integer(7), .real(0.5), .real(3.5)), (.divide, .integer(7), .integer(2), .integer(3)),
      (.divide, .integer(-7), .integer(2), .integer(-3)), (.divide, .real(7), .integer(2), .real(3.5)),
      (.divide, .decimal(7), .integer(2), .real(3.5)), (.divide, .integer(7), .integer(0), .null),
      (.divide, .real(7), .real(0), .null), (.add, .integer(.max), .integer(1), .real(0x1p63)),
      (.divide, .integer(.min), .integer(-1), .real(0x1p63)), (.add, .bool(true), .integer(1), .integer(2)),
      (.add, .null, .integer(1), .null), (.add, .string("5"), .integer(1), .null),
      (.subtract, .real(.infinity), .real(.infinity), .null), (.add, .real(.infinity), .integer(1), .real(.infinity)),
      (
        .add, .date(Date(timeIntervalSinceReferenceDate: 5)), .integer(3),
        .date(.init(timeIntervalSinceReferenceDate: 8))
      ),
      (
        .subtract, .date(Date(timeIntervalSinceReferenceDate: 5)), .date(Date(timeIntervalSinceReferenceDate: 2)),
        .real(3)
      ),
      (.subtract, .integer(3), .date(Date()), .null), (.modulus, .integer(-7), .integer(3), .integer(-1)),
      (.modulus, .real(7.9), .integer(4), .integer(3)), (.modulus, .integer(7), .integer(0), .null),
      (.modulus, .integer(.min), .integer(-1), .integer(0)), (.raise, .integer(2), .integer(10), .real(1024)),
      (.raise, .integer(-1), .real(0.5), .null), (.raise, .real(-0.0), .integer(-3), .real(.infinity)),
      (.bitwiseAnd, .integer(6), .integer(3), .integer(2)),
      (.bitwiseOr, .integer(6), .real(3.7), .integer(7)), (.bitwiseXor, .integer(6), .integer(3), .integer(5)),
      (.leftshift, .integer(1), .integer(64), .integer(0)), (.rightshift, .integer(-8), .integer(70), .integer(-1)),
      (.leftshift, .integer(8), .integer(-2), .integer(2)),
      (.bitwiseOr, .real(1e300), .integer(0), .integer(.max)),
      (.cast, .string("5"), .string("NSNumber"), .integer(5)), (.cast, .string("x"), .string("NSNumber"), .null),
      (.cast, .real(5), .string("NSString"), .string("5")), (.cast, .null, .string("NSDate"), .null),
      (.cast, .date(Date(timeIntervalSinceReferenceDate: 5)), .string("NSNumber"), .real(5)),
      (.cast, .integer(5), .string("NSDate"), .date(Date(timeIntervalSinceReferenceDate: 5))),
      (.cast, .real(0.1), .string("NSDecimalNumber"), .decimal(Decimal(string: "0.1")!)),
    ] as [(ExpressionFunction, PredicateValue, PredicateValue, PredicateValue)])
  func `functions of two values return the expected value`(
    function: ExpressionFunction, left: PredicateValue, right: PredicateValue, expected: PredicateValue
  ) {
    #expect(ExpressionArithmetic.result(of: function, left, right) == expected)
  }

  @Test(
    arguments: [
      (.sqrt, .integer(9), .real(3)), (.sqrt, .integer(-9), .null), (.log, .integer(1000), .real(3)),
      (.ln, .integer(0), .null), (.ln, .real(1), .real(0)), (.exp, .integer(0), .real(1)),
      (.floor, .real(-1.5), .real(-2)), (.floor, .integer(3), .integer(3)), (.ceiling, .real(1.2), .real(2)),
      (.trunc, .real(-1.5), .real(-1)), (.abs, .integer(-3), .integer(3)), (.abs, .integer(.min), .real(0x1p63)),
      (.abs, .real(-2.5), .real(2.5)), (.abs, .string("x"), .null), (.onesComplement, .integer(0), .integer(-1)),
      (.uppercase, .string("é"), .string("É")), (.lowercase, .string("É"), .string("é")),
      (.canonical, .string("É"), .string("e")), (.length, .string("🌋"), .integer(2)), (.length, .null, .null),
      (.length, .integer(5), .null), (.randomn, .integer(1), .integer(0)), (.randomn, .integer(0), .null),
      (.noindex, .string("a"), .string("a")),
    ] as [(ExpressionFunction, PredicateValue, PredicateValue)])
  func `functions of one value return the expected value`(
    function: ExpressionFunction, value: PredicateValue, expected: PredicateValue
  ) {
    #expect(ExpressionArithmetic.result(of: function, value) == expected)
  }

  @Test(
    arguments: [
      (.sum, .real(40)), (.count, .integer(8)), (.min, .integer(1)), (.max, .integer(11)), (.average, .real(5)),
      (.median, .real(4)), (.mode, .list([.integer(4)])),
    ] as [(ExpressionFunction, PredicateValue)])
  func `functions of a collection ignore nil`(function: ExpressionFunction, expected: PredicateValue) {
    let members: [PredicateValue] = [1, 2, 3, 4, 4, 5, 11].map { .integer($0) } + [.null, .real(10)]
    let result = ExpressionArithmetic.result(of: function, members: members)
    #expect(result.equalsNumber(expected))
  }

  @Test func `sum and count of nothing are 0, other aggregates are nil`() {
    for function in ExpressionFunction.allCases where function.isAggregate {
      let expected: PredicateValue = function == .sum || function == .count ? .integer(0) : .null
      #expect(ExpressionArithmetic.result(of: function, members: [.null]) == expected)
    }
  }

  @Test func `stddev is the population's, and mode returns all modes`() {
    let numbers: [PredicateValue] = [1, 2, 3, 4, 4, 5, 9, 11].map { .integer($0) }
    guard case .real(let deviation) = ExpressionArithmetic.result(of: .stddev, members: numbers) else {
      Issue.record("the deviation is not a real number")
      return
    }
    #expect(abs(deviation - 3.21859) < 0.00001)
    let modes = ExpressionArithmetic.result(of: .mode, members: [2, 1, 2, 1, 3].map { .integer($0) })
    #expect(modes == .list([.integer(1), .integer(2)]))
  }
}

extension PredicateValue {
  fileprivate func equalsNumber(_ other: PredicateValue) -> Bool {
    PredicateValue.order(self, other) == .orderedSame
  }
}
