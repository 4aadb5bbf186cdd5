import StrataSwiftDataExpansion
import StrataTestSupport
import Testing

/// Sources that the compiler would refuse. It reports the mistakes itself.
@Suite struct DamagedSourceTests {
  private static let source = ##"""
    @Model @available(*, deprecated) public final class `Book`<A>: Novel<Int>, P & Q where A: R {
      #Index<Book>([\.title], [\.pages])
      @Attribute(.unique, originalName: "a\(b)") private(set) var title: String? = c < d ? try! e() : f { $0 }
      #if os(Linux) && !DEBUG
      let (g, h): (Int, Set<String>) = (1, []), `i j`: [String: Int]! { willSet { k() } }
      #else
      @Relationship(deleteRule: .cascade, inverse: \Note.book) var notes: [Note] = [] // "
      #endif
      enum S { case l(m: Int); struct T { class U { actor V {} } } }
      convenience init?(n: Int = 1) { /* } */ self.init() }
      var o: (Int, any P) -> Void { #"""# }
    }
    """##

  private func expandAll(_ text: String) {
    for (macro, roles) in [
      ("PersistentModelMacro", ["member", "memberAttribute", "extension"]),
      ("PersistedPropertyMacro", ["accessor", "peer"]), ("PersistentModelActorMacro", ["member", "extension"]),
    ] {
      for role in roles {
        let expansion = MacroUse(macro, role, of: text, extending: text, conformances: text, in: [text]).expanded()
        #expect(expansion.diagnostics.allSatisfy { (0...text.utf8.count).contains($0.offset) })
      }
    }
  }

  @Test func `a source can be expanded that ends anywhere`() {
    for index in Self.source.indices { expandAll(String(Self.source[..<index])) }
  }

  @Test func `sources without some of their characters can be expanded`() {
    var random = SeededRandom()
    for _ in 0..<100 {
      var characters = Array(Self.source)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let (start, count) = (
          Int.random(in: 0..<characters.count, using: &random), Int.random(in: 1...6, using: &random)
        )
        let part = characters[start..<min(start + count, characters.count)]
        if Bool.random(using: &random) {
          characters.removeSubrange(part.indices)
        } else {
          characters.insert(contentsOf: part, at: Int.random(in: 0...characters.count, using: &random))
        }
      }
      expandAll(String(characters))
    }
  }
}
