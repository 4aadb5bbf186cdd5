import Foundation
import StrataPredicates
import Testing

/// The values by which a computed raw value is told from a stored one.
@Suite struct RawValueSamplesTests {
  private enum Color: String { case green, yellow = "y", red }
  private enum Level: Int { case low = -5, high = 70_000 }
  private enum Only: String { case one }
  private enum Holder<Value> { enum Part: Int { case left = 3, right } }

  private enum Shape: RawRepresentable, Equatable {
    case round, square(Bool)
    // Not by ==, which compares raw values.
    var rawValue: Int {
      switch self {
      case .round: 1
      case .square(true): 2
      case .square(false): 3
      }
    }
    init?(rawValue: Int) { self = rawValue == 1 ? .round : .square(rawValue == 2) }
  }

  private struct Flags: OptionSet { var rawValue: UInt8 }
  private struct Label: RawRepresentable { var rawValue: String }
  private struct Range: RawRepresentable {
    var rawValue: Int
    init?(rawValue: Int) {
      guard (100...102).contains(rawValue) else { return nil }
      self.rawValue = rawValue
    }
  }

  @Test func anEnumerationHasAllItsCases() {
    #expect(RawValueSamples.of(Color.self) == [.green, .yellow, .red] && RawValueSamples.areAll(of: Color.self))
    #expect(RawValueSamples.of(Level.self) == [.low, .high])
    #expect(RawValueSamples.of(Only.self) == [.one] && RawValueSamples.areAll(of: Only.self))
    #expect(RawValueSamples.of(Holder<String>.Part.self) == [.left, .right])
    #expect(RawValueSamples.of(ComparisonResult.self).contains(.orderedDescending))
  }

  @Test func casesWithPayloadsAreNoNumbers() {
    #expect(!RawValueSamples.areAll(of: Shape.self))
    #expect(RawValueSamples.of(Shape.self).contains(.square(true)))
  }

  @Test func otherTypesHaveWhatTheyAcceptOfTextsAndNumbers() {
    let flags = RawValueSamples.of(Flags.self).map(\.rawValue)
    #expect((0..<8).allSatisfy { flags.contains(1 << $0) } && !RawValueSamples.areAll(of: Flags.self))
    let texts = RawValueSamples.of(Label.self).map(\.rawValue)
    #expect(texts.contains("") && texts.contains { $0 != $0.uppercased() } && texts.contains { $0 != $0.lowercased() })
    #expect(RawValueSamples.of(Range.self).map(\.rawValue) == [100, 101, 102])
  }
}
