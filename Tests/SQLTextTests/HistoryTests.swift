import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataTestSupport
import Testing

@Suite struct HistoryTests {
  @Test func `change bits are ordered by kind and then by name`() throws {
    let model = quakeModel()
    let quake = model.layout("Quake")
    let columns = HistoryWriter(schema: try StoreSchema(model: model, dialect: .sqlite)).columns(of: quake)
    #expect(
      columns.names == [
        "region", "body", "cost", "felt", "image", "link", "magnitude", "place", "reviewed", "time", "title", "uid",
        "tags",
      ])
    func bits(_ names: String...) -> [UInt64] { [names.reduce(0) { $0 | 1 << UInt64(quake.slot(named: $1)!) }] }
    #expect(columns.bitmap(slots: bits("region"), toMany: []) == [0x80, 0])
    #expect(columns.bitmap(slots: bits("place", "reviewed"), toMany: [0]) == [0x01, 0x88])
    #expect(columns.names(in: [0x01, 0x88], isOwn: true) == ["place", "reviewed", "tags"])
    #expect(columns.names(in: [0, 0x0F, 0xFF], isOwn: true) == ["tags"])
  }

  @Test func `change bits written by Apple are decoded if their order is known`() throws {
    let (one, two) = (makeEntity("One", [attribute("name")]), makeEntity("Two", []))
    let fetching = makeEntity("Fetching", [attribute("name"), NSFetchedPropertyDescription()])
    fetching.properties[1].name = "found"
    let model = makeModel(one, two, fetching)
      .relate("One", "many", .many, "Two").relate("One", "owner", .one, "Two").relate("Two", "many", .many, "One")
      .relate("Two", "more", .many, "One").relate("Two", "owner", .one, "One").frozen()
    let writer = HistoryWriter(schema: try StoreSchema(model: model, dialect: .sqlite))
    let (first, second) = (writer.columns(of: one.layout), writer.columns(of: two.layout))
    #expect(first.names(in: [0xE0], isOwn: false) == ["owner", "name", "many"], "There is one to-many relationship.")
    #expect(second.names(in: [0xE0], isOwn: true) == ["owner", "many", "more"])
    #expect(second.names(in: [0xE0], isOwn: false) == ["owner"])
    #expect(second.names(in: [0xE0, 0], isOwn: false) == [], "The bits belong to another version of the model.")
    #expect(second.names(in: [0x90], isOwn: false) == [], "The entity does not have a fourth property.")
    #expect(writer.columns(of: fetching.layout).names(in: [0x80], isOwn: false) == [])
  }

  @Test func `missing history tables, columns and indexes are added`() {
    let old = HistoryLayout(columns: [
      "ACHANGE": ["Z_PK", "Z_ENT", "Z_OPT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZTOMBSTONE0"],
      "ATRANSACTION": [
        "Z_PK", "Z_ENT", "Z_OPT", "ZTIMESTAMP", "ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID", "ZQUERYGEN",
      ],
    ])
    let texts = HistoryWriter.completion(of: old, tombstones: 2).map(\.text)
    #expect(texts[0] == "ALTER TABLE ACHANGE ADD COLUMN ZCOLUMNS BLOB")
    #expect(texts[1] == "ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE1 BLOB")
    #expect(texts.contains("ALTER TABLE ATRANSACTION ADD COLUMN ZAUTHORTS INTEGER"))
    #expect(texts.contains("CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)"))
    #expect(texts.contains { $0.hasPrefix("CREATE TABLE ATRANSACTIONSTRING ") })
    #expect(!texts.contains { $0.contains("TransactionAuthorIndex") })
    #expect(!HistoryWriter.transactions(later: false, in: old).contains("ATRANSACTIONSTRING"))
    let whole = HistoryLayout(
      columns: Dictionary(
        uniqueKeysWithValues: HistoryWriter.create(tombstones: 1).prefix(3).map { statement in
          let parts = statement.text.split(separator: " ( ")
          let names = parts[1].split(separator: ", ").compactMap { $0.split(separator: " ").first.map(String.init) }
          return (String(parts[0].split(separator: " ")[2]), Set(names))
        }))
    #expect(HistoryWriter.completion(of: whole, tombstones: 1).isEmpty)
  }

  @Test func `inherited properties are ordered by name`() throws {
    let model = libraryModel()
    let columns = HistoryWriter(schema: try StoreSchema(model: model, dialect: .sqlite)).columns(
      of: model.layout("GraphicNovel"))
    #expect(
      columns.names == [
        "author", "cover", "isBlackAndWhite", "pagesCount", "price", "publishedAt", "title", "uniqueID", "pages",
      ])
  }

  @Test func `tombstones keep the preserved attributes`() throws {
    let feed = makeEntity(
      "Feed",
      [
        attribute("url", .uri, preserved: true), attribute("title"), attribute("code", preserved: true),
      ])
    let model = frozenModel([feed])
    let writer = HistoryWriter(schema: try StoreSchema(model: model, dialect: .sqlite))
    #expect(writer.tombstoneCount == 2)
    #expect(writer.columns(of: feed.layout).tombstones.map { feed.layout.slots[$0].name } == ["code", "url"])
    #expect(
      HistoryWriter.create(tombstones: 2)[0].text.hasSuffix("ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB, ZTOMBSTONE1 BLOB )"))
    #expect(
      HistoryWriter.insertDeletion(tombstones: 2) == """
        INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS, ZTOMBSTONE0, \
        ZTOMBSTONE1) VALUES (?1, 16001, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """)
  }

  @Test func `metadata is a binary property list`() throws {
    let model = libraryModel()
    let schema = try StoreSchema(model: model, dialect: .sqlite)
    var written = StoreMetadata.dictionary(for: schema)
    written["answer"] = 42
    written["name"] = "Quakes"
    written["seen"] = ["a", "b"]
    let bytes = try StoreMetadata.bytes(of: written)
    #expect(bytes.starts(with: Array("bplist00".utf8)))
    let read = try StoreMetadata.dictionary(from: bytes)
    #expect(read["answer"] as? Int == 42)
    #expect(read["name"] as? String == "Quakes")
    #expect(read["seen"] as? [String] == ["a", "b"])
    #expect(read["_NSAutoVacuumLevel"] as? String == "2")
    #expect(read["NSStoreModelVersionHashesVersion"] as? Int == 3)
    #expect(Set(read.keys).subtracting(StoreMetadata.ownKeys) == ["answer", "name", "seen"])
    let hashes = try #require(read[NSStoreModelVersionHashesKey] as? [String: Data])
    #expect(hashes.count == 6 && hashes.values.allSatisfy { $0.count == 32 })
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: read))
  }

  /// Metadata values of every kind that a program may add, in both property list formats.
  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func `metadata of every kind is read back`(_ format: PropertyListSerialization.PropertyListFormat) throws {
    let moment = Date(timeIntervalSinceReferenceDate: 700_000_000)
    let list: [String: Any] = [
      "flag": true, "number": -5, "large": Int.max, "real": 2.5, "moment": moment, "bytes": Data([1, 2, 3]),
      "text": "Ünïcode ☂", "none": [String](), "parts": [1, "two", Data([3])] as [Any],
      "inner": ["a": ["b": ["c"]], "d": 1] as [String: Any],
    ]
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
    let read = try StoreMetadata.dictionary(from: Array(data))
    #expect(Set(read.keys) == Set(list.keys))
    #expect(read["flag"] as? Bool == true && read["number"] as? Int == -5 && read["large"] as? Int == Int.max)
    #expect(read["real"] as? Double == 2.5 && read["moment"] as? Date == moment)
    #expect(read["bytes"] as? Data == Data([1, 2, 3]))
    #expect(read["text"] as? String == "Ünïcode ☂" && (read["none"] as? [String])?.isEmpty == true)
    let parts = try #require(read["parts"] as? [any Sendable])
    #expect(parts[0] as? Int == 1 && parts[1] as? String == "two" && parts[2] as? Data == Data([3]))
    let inner = try #require(read["inner"] as? [String: any Sendable])
    #expect(inner["d"] as? Int == 1 && (inner["a"] as? [String: any Sendable])?["b"] as? [String] == ["c"])
  }

  /// A list that contains itself is damaged. Reading it terminates.
  @Test func `metadata that contains itself is refused`() throws {
    var bytes = Array("bplist00".utf8)
    // A dictionary with one pair: its key is object 1, its value is itself.
    bytes += [0xD1, 0x01, 0x00, 0x51, UInt8(ascii: "a"), 8, 11]
    for number in [0x101, 2, 0, 13] as [UInt64] { withUnsafeBytes(of: number.bigEndian) { bytes += $0 } }
    let error = #expect(throws: StoreError.self) { try StoreMetadata.dictionary(from: bytes) }
    #expect(error?.code == .corrupt)
  }

  @Test func `the error for damaged metadata names its column`() {
    let error = #expect(throws: StoreError.self) { try StoreMetadata.dictionary(from: [1, 2, 3]) }
    #expect(error?.message.contains("Z_PLIST") == true)
  }
}
