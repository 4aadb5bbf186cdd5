import StrataPorting
import Testing

/// The unified format.
struct UnifiedDiffTests {
  @Test func `a change has three lines around it`() {
    let old = (1...9).map { "\($0)\n" }.joined()
    let diff = UnifiedDiff.bytes(
      from: Array(old.utf8), to: Array(old.replacing("5\n", with: "five\n5.5\n").utf8), path: "a.swift")
    #expect(
      String(decoding: diff, as: UTF8.self) == """
        --- a/a.swift
        +++ b/a.swift
        @@ -2,7 +2,8 @@
         2
         3
         4
        -5
        +five
        +5.5
         6
         7
         8

        """)
  }

  @Test func `a tab ends a path with spaces`() {
    let diff = UnifiedDiff.bytes(from: [], to: [10], path: "My Books.swift")
    #expect(String(decoding: diff, as: UTF8.self).hasPrefix("--- a/My Books.swift\t\n+++ b/My Books.swift\t\n@@"))
  }

  @Test func `equal texts have no difference`() {
    #expect(UnifiedDiff.bytes(from: [1, 10], to: [1, 10], path: "a").isEmpty)
  }

  @Test func `a missing line ending is marked`() {
    let diff = UnifiedDiff.bytes(from: Array("a".utf8), to: Array("a\n".utf8), path: "a")
    #expect(String(decoding: diff, as: UTF8.self).hasSuffix("-a\n\\ No newline at end of file\n+a\n"))
  }

  @Test func `a difference leads from one text to the other`() throws {
    var generator = Seeded(state: 1)
    for _ in 0..<200 {
      let old = (0..<Int.random(in: 0...30, using: &generator)).map { _ in Self.line(&generator) }
      let new = old.flatMap { line in
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: [String]()
        case 1: [line, Self.line(&generator)]
        case 2: [Self.line(&generator)]
        default: [line]
        }
      }
      let diff = UnifiedDiff.bytes(from: Array(old.joined().utf8), to: Array(new.joined().utf8), path: "a")
      #expect(try Self.apply(String(decoding: diff, as: UTF8.self), to: old) == new)
    }
  }

  private static func line(_ generator: inout Seeded) -> String {
    ["a", "b", "", " c", "}"].randomElement(using: &generator).map { $0 + "\n" } ?? ""
  }

  /// Applies a difference strictly: every line of it has to match.
  private static func apply(_ diff: String, to old: [String]) throws -> [String] {
    var (result, position) = ([String](), 0)
    for line in diff.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).dropLast() {
      let text = line.dropFirst() + "\n"
      if line.hasPrefix("@@ -") {
        let numbers = line.dropFirst(4).split(separator: " ")[0].split(separator: ",").compactMap { Int($0) }
        let start = numbers[1] == 0 ? numbers[0] : numbers[0] - 1
        result += old[position..<start]
        position = start
      } else if line.first == "+" {
        result.append(String(text))
      } else {
        try #require(old[position] == text)
        if line.first == " " { result.append(String(text)) }
        position += 1
      }
    }
    return result + old[position...]
  }
}
