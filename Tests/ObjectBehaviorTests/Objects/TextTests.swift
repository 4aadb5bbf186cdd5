import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

@Suite struct TextTests {
  /// Swift stores short strings differently from long ones, and ASCII differently from other text.
  @Test(arguments: Store.every)
  func `text of any length survives a round trip`(_ store: Store) throws {
    let container = try store.library()
    let alphabet = "abcdefghijklmnopqrstuvwxyz"
    let texts =
      (0...20).map { String(alphabet.prefix($0)) } + (0...15).map { String(alphabet.prefix($0)) + "é" }
      // A PostgreSQL store refuses U+0000 by name.
      + (store == .postgreSQL ? [] : ["\0", "a\0"])
      + ["\u{7F}", "🌋", "e\u{301}", "\u{FFFD}", "東京", "東京東京東京"]
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for text in texts { _ = context.insert("Page", ["name": text]) }
      try context.save()
      context.reset()
      let pages = try context.fetch(NSFetchRequest<Page>(entityName: "Page"))
      let read = pages.compactMap(\.name)
      #expect(Set(read.map { Array($0.utf8) }) == Set(texts.map { Array($0.utf8) }) && read.count == texts.count)
      for text in read {
        let made = String(decoding: Array(text.utf8), as: UTF8.self)
        #expect(text == made && text.hashValue == made.hashValue && text.count == made.count)
        #expect(text + alphabet == made + alphabet && text.utf8.count == made.utf8.count)
      }
      #expect(pages.map { $0.value(forKey: "name") as? String } == read)
    }
  }
}
