/// A violated promise: the expected and the actual result, and the location.
package struct ConformanceFailure: Error, CustomStringConvertible {
  package var description: String

  init(_ problem: String, _ file: StaticString, _ line: UInt) {
    description = "\(file):\(line): \(problem)"
  }
}

func expect(
  _ condition: Bool, _ problem: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) throws {
  guard condition else { throw ConformanceFailure(problem(), file, line) }
}

func expectEqual<Value: Equatable>(
  _ found: Value, _ expected: Value, _ what: @autoclosure () -> String = "the result",
  file: StaticString = #fileID, line: UInt = #line
) throws {
  guard found != expected else { return }
  throw ConformanceFailure("\(what()) is \(found), expected \(expected)", file, line)
}

func expectSome<Value>(
  _ value: Value?, _ what: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) throws -> Value {
  guard let value else { throw ConformanceFailure("\(what()) is nil", file, line) }
  return value
}
