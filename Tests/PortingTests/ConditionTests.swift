import Testing

@testable import StrataPorting

/// The value of conditions on Linux.
struct ConditionTests {
  @Test(
    arguments: [
      ("os(Linux)", true), ("os(macOS)", false), ("!os(macOS)", true), ("os(iOS) || os(Linux)", true),
      ("canImport(ObjectiveC)", false), ("canImport(UIKit)", false), ("canImport(CoreData)", true),
      ("canImport(GRDB)", nil),
      ("canImport(SwiftUI, _version: 5)", false), ("DEBUG", nil), ("!DEBUG", nil), ("DEBUG && os(iOS)", false),
      ("DEBUG || os(Linux)", true), ("DEBUG || os(iOS)", nil), ("(os(iOS) || os(macOS)) && !DEBUG", false),
      ("!(os(iOS) || os(macOS))", true), ("swift(>=5.9)", true), ("swift(<5.9)", false), ("compiler(>=6.9)", nil),
      ("targetEnvironment(simulator)", false), ("true", true), ("", nil), ("os(", nil), ("os(Linux) os", nil),
    ] as [(String, Bool?)]) func `conditions have the value that they have on Linux`(_ text: String, _ value: Bool?)
  {
    #expect(LinuxCondition.value(of: text) == value)
  }
}
