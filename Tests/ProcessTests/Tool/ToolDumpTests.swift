import CoreData
import Foundation
import StrataTestSupport
import Testing

/// `coredata store dump` and `coredata store load`.
@Suite(.waitsForProcesses) struct ToolDumpTests {
  private func dump(_ store: String, in tool: ToolHome) throws -> [String] {
    let (status, lines, errors) = try tool.run("store", "dump", store)
    #expect(status == 0, "\(errors)")
    return lines
  }

  @Test func `a loaded dump is dumped identically`() throws {
    let everything = try EverythingStore()
    let (tool, copy) = (everything.tool, everything.tool.path("Copy.sqlite"))
    let file = tool.path("dump.jsonl")
    #expect(try tool.run("store", "dump", everything.store.path, "-o", file).status == 0)
    let dumped = try dump(everything.store.path, in: tool)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == dumped.map { $0 + "\n" }.joined())
    let (status, lines, errors) = try tool.run("store", "load", copy, file, "--model", everything.model)
    #expect(status == 0 && lines.first == "11 objects loaded", "\(lines) \(errors)")
    #expect(try dump(copy, in: tool) == dumped)
    #expect(try tool.run("store", "check", copy).status == 0)
    let context = try EverythingStore.open(URL(fileURLWithPath: copy), model: everything.model)
    try context.performAndWait { try checkContents(context) }
  }

  /// Checks values that both dumps could lack.
  private func checkContents(_ context: NSManagedObjectContext) throws {
    func object(_ entity: String, _ format: String) throws -> NSManagedObject {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: format)
      return try #require(try context.fetch(request).first)
    }
    let full = try object("Item", "name BEGINSWITH 'full'")
    #expect(full.value(forKey: "name") as? String == "full \u{1B}[31m\n\"quoted\", \\ \u{202E}é𝄞")
    #expect(full.value(forKey: "date") as? Date == Date(timeIntervalSinceReferenceDate: 700_000_000.123456))
    #expect(full.value(forKey: "real") as? Double == 0.1 + 0.2 && full.value(forKey: "long") as? Int64 == .min)
    #expect(full.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "1234567.89012"))
    #expect(full.value(forKey: "picture") as? Data == Data(repeating: 7, count: 200_000))
    #expect(full.value(forKey: "object") as? String == "archived")
    #expect((full.value(forKey: "next") as? NSManagedObject)?.value(forKey: "name") as? String == "far")
    #expect((full.value(forKey: "friends") as? Set<NSManagedObject>)?.count == 2)
    #expect(try object("Item", "name == 'other'").value(forKey: "date") as? Date == .distantPast)
    #expect(try object("Item", "name == 'other'").value(forKey: "real") as? Double == .infinity)
    #expect(try object("Item", "name == ''").value(forKey: "flag") == nil)
    let shelf = try object("Shelf", "TRUEPREDICATE")
    let items = (shelf.value(forKey: "items") as? NSOrderedSet)?.array as? [NSManagedObject]
    #expect(items?.map { ($0.value(forKey: "name") as? String)?.prefix(4) } == ["note", "full", "othe"])
    #expect(shelf.value(forKey: "loud") as? String == "UPPER")
    let lists = try object("Note", "name == 'note'").value(forKey: "lists") as? NSOrderedSet
    #expect(
      (lists?.array as? [NSManagedObject])?.compactMap { $0.objectID.uriRepresentation().lastPathComponent } == [
        "p2", "p1",
      ])
  }

  @Test func `a second load adds new objects`() throws {
    let everything = try EverythingStore()
    let tool = everything.tool
    let lines = try dump(everything.store.path, in: tool)
    let file = try tool.home.write("dump.jsonl", lines.map { $0 + "\n" }.joined())
    let (status, loaded, errors) = try tool.run("store", "load", everything.store.path, file)
    #expect(status == 0 && loaded.first == "11 objects loaded", "\(loaded) \(errors)")
    #expect(try dump(everything.store.path, in: tool).count == 23)
    let report = try tool.json("store", "history", everything.store.path, "--author", "coredata load")
    #expect((report["transactions"] as? [Any])?.isEmpty == false, "\(report)")
    let check = try tool.run("store", "check", everything.store.path)
    #expect(check.status == 0, "\(check.lines)")
  }

  @Test func `lines written by hand are loaded`() throws {
    let everything = try EverythingStore()
    let tool = everything.tool
    let text = """
      {"entity":"Note","attributes":{"name":"by hand"},"relationships":{"owner":"shelf","tags":["x-coredata://\
      \(try identifier(of: everything))/Tag/p1"]}}

      {"id":"shelf","entity":"Shelf","attributes":{"label":"new"}}
      """
    let program = try Program(
      "coredata", ["store", "load", everything.store.path], home: tool.home.url, input: Data(text.utf8))
    #expect(program.status() == 0, "\(program.errorText)")
    let note = try tool.run(
      "store", "fetch", everything.store.path, "Note", "name = 'by hand'", "--csv", "--properties", "owner.label,tags")
    #expect(note.lines == ["owner.label,tags", "new,1"], "\(note.lines)")
  }

  private func identifier(of everything: EverythingStore) throws -> String {
    try #require(try everything.tool.json("store", "info", everything.store.path)["identifier"] as? String)
  }

  private static let invalidLines = [
    (#"{"entity":"Item","attributes":{"name":"x","short":40000}}"#, "Item.short"),
    (#"{"entity":"Item","attributes":{"name":"x","date":"soon"}}"#, "Item.date"),
    (#"{"entity":"Item","attributes":{"name":null}}"#, "name"),
    (#"{"entity":"Item","attributes":{"nam":"x"}}"#, "Item.nam"),
    (#"{"entity":"Shelf","attributes":{"loud":"x"}}"#, "derived"),
    (#"{"entity":"Thing","attributes":{"name":"x"}}"#, "abstract"),
    (#"{"entity":"Nothing"}"#, "'Nothing'"), (#"{"entity":"Tag","word":"x"}"#, "'word'"),
    (#"{"entity":"Tag","attributes":{"word":"x"}"#, "column 42"), ("[1]", "an array"),
    (#"{"entity":"Item","attributes":{"name":"x"},"relationships":{"shelf":"t"}}"#, "'t' is of Tag"),
    (#"{"entity":"Item","attributes":{"name":"x"},"relationships":{"tags":"t"}}"#, "Item.tags"),
    (#"{"id":"t","entity":"Tag"}"#, "also has the ID 't'"),
  ]

  @Test func `an invalid line is reported with its number`() throws {
    let everything = try EverythingStore()
    let tool = everything.tool
    let lines = try dump(everything.store.path, in: tool)
    let first = #"{"id":"t","entity":"Tag","attributes":{"word":"first"}}"#
    for (line, word) in Self.invalidLines.sampled(every: 3) {
      let input = Data("\(first)\n\(line)\n".utf8)
      let program = try Program(
        "coredata", ["store", "load", everything.store.path], home: tool.home.url, input: input)
      #expect(program.status() == 4 && program.errorText.hasPrefix("coredata: line 2: "), "\(program.errorText)")
      #expect(program.errorText.contains(word), "\(program.errorText)")
    }
    #expect(try dump(everything.store.path, in: tool) == lines, "no batch is saved")
  }

  @Test func `a dump of another model is refused`() throws {
    let everything = try EverythingStore()
    let tool = everything.tool
    let other = tool.path("Other.sqlite")
    let file = try tool.home.write("dump.jsonl", try dump(everything.store.path, in: tool).joined(separator: "\n"))
    let refused = try tool.run("store", "load", other, file, "--model", try tool.library())
    #expect(refused.status == 4 && refused.errors.contains("another version of the model"), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: other))
    #expect(try tool.run("store", "load", other, file).status == 3)
    let missing = try tool.run("store", "load", everything.store.path, tool.path("none.jsonl"))
    #expect(missing.status == 3, "\(missing.errors)")
    let lost = #"{"entity":"Item","attributes":{"name":"x"},"relationships":{"shelf":"Shelf/p99"}}"#
    let program = try Program(
      "coredata", ["store", "load", everything.store.path], home: tool.home.url, input: Data(lost.utf8))
    #expect(program.status() == 4 && program.errorText.contains("'Shelf/p99'"), "\(program.errorText)")
  }
}
