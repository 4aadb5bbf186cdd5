import Foundation
import StrataTestSupport
import Testing

@testable import StrataRuntime

/// The assumptions of `StrataRuntime`, checked for the toolchain that runs the tests.
struct RuntimeTests {
  @Test func `an object can be retained until its deinitialization begins`() {
    #expect(ObjectReferences.areUsable)
    RuntimeChecks.run()
  }

  @Test func `short strings are stored as this package creates them`() {
    #expect(ShortText.isKnown)
    for text in ["", "a", "abc", "abcd", "1234567", "12345678", "123456789012345", "1234567890123456", "é", "\u{0}"] {
      #expect(Array(text.utf8).withUnsafeBytes { String(stored: $0) } == text)
    }
    #expect([UInt8(0xFF), 65].withUnsafeBytes { String(stored: $0) } == "\u{FFFD}A")
  }

  @Test func `a copied string has the words of its original`() {
    let text = String(repeating: "SELECT ", count: 3)
    let copy = text
    #expect(StringWords(text) == StringWords(copy) && StringWords(text) != StringWords("SELECT"))
    #expect(MemoryLayout<String>.size == MemoryLayout<StringWords>.size)
  }

  @Test func `an array of subclass instances is the same array of their superclass`() {
    let numbers: [NSObject] = [NSNumber(value: 1), NSNumber(value: 2)]
    #expect(numbers.retyped(as: NSNumber.self).map(\.intValue) == [1, 2])
  }

  @Test func `classes are found by module and name`() {
    #expect(ClassLookup.isMangledByLength)
    #expect(ClassLookup.type(named: "Foundation.NSNumber") == NSNumber.self)
    #expect(ClassLookup.type(named: "RuntimeTests.Known") == Known.self)
    #expect(ClassLookup.type(named: "RuntimeTests.Unknown") == nil && ClassLookup.type(named: "Known") == nil)
  }

  @Test func `type names have the contexts of a declaration`() {
    #expect(TypeNames.full(of: Outer.Inner.self) == "RuntimeTests.Outer.Inner")
    #expect(TypeNames.path(of: Outer.Inner.self) == "RuntimeTests.Outer.Inner")
    #expect(TypeNames.path(of: Hidden.Inner.self) == "RuntimeTests.Hidden.Inner")
    #expect(TypeNames.full(of: Hidden.Inner.self) != TypeNames.path(of: Hidden.Inner.self))
    #expect(TypeNames.path(of: String.InString.self) == "RuntimeTests.InString")
    class Local {}
    #expect(TypeNames.path(of: Local.self) == "RuntimeTests.RuntimeTests.Local")
    #expect(Array(TypeNames.line(of: Known.self)).map(ObjectIdentifier.init).count == 2)
    #expect(TypeNames.superclass(of: Known.self) == NSObject.self && TypeNames.superclass(of: Hidden.self) == nil)
  }

  @Test func `an enumeration in a byte starts at 0`() {
    #expect(PlainCases.isFirstCaseZero && PlainCases.first(of: Suit.self) == .clubs)
    #expect(PlainCases.first(of: String.self) == nil && PlainCases.first(of: NSNumber.self) == nil)
  }

  @Test func `mangled names name the module that declares a type`() {
    #expect(MangledNames.name(of: Outer.self) == "12RuntimeTests5OuterO")
    #expect(MangledNames.name(of: Date.self) == "20FoundationEssentials4DateV")
  }

  @Test func `a list of the main actor can be created on any thread`() async {
    let list: @MainActor @Sendable () -> [Int] = { [1, 2] }
    #expect(await Task.detached { IsolatedList.unisolated(list)() }.value == [1, 2])
    let make: @MainActor @Sendable () -> Int = { 3 }
    #expect(await Task.detached { IsolatedList.unisolated(make)() }.value == 3)
  }

  @Test func `a bridged subclass is created from an object with its layout`() {
    let contents = NSNumber(value: 5)
    weak var gone: Bridged?
    do {
      let made = Bridged.made(of: contents)
      gone = made
      #expect(made.contents === contents && type(of: made) == Bridged.self)
    }
    #expect(gone == nil)
  }

  @Test func `a class of another size is refused`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Larger.made(of: NSNumber(value: 5))
    }
    #expect(result.errorText.contains("bytes with this Foundation"))
  }

  @Test func `a record's function is called once when records are first read`() {
    ProgramRecords.register()
    ProgramRecords.register()
    #expect(registrations == 1)
  }
}

class Known: NSObject {}

enum Outer { class Inner {} }

private class Hidden { class Inner {} }

extension String { class InString {} }

private enum Suit { case clubs, hearts }

private final class Bridged: NSPredicate, BridgedSubclass { final var contents: AnyObject? }

private final class Larger: NSObject, BridgedSubclass {
  final var contents: AnyObject?
  let more = 5
}

// Written by the function below, under the lock of the records.
nonisolated(unsafe) private var registrations = 0

@section(".note.strata.model") @used
nonisolated private let record: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, @convention(c) () -> Void) = (
  12, 8, 1, 0x6172_7453, 0x6f4d_6174, 0x006c_6564, { registrations += 1 }
)
