import Foundation
import ManagedModel
import RowStore
import SQLText
import Testing

@Suite struct HistoryTests {
  @Test func bitsGoByKindAndThenByName() throws {
    let model = quakeModel()
    let quake = model.layout("Quake")
    let columns = HistoryWriter(schema: try StoreSchema(model: model)).columns(of: quake)
    #expect(
      columns.names == [
        "region", "body", "cost", "felt", "image", "link", "magnitude", "place", "reviewed", "time", "title", "uid",
        "tags",
      ])
    func bits(_ names: String...) -> [UInt64] { [names.reduce(0) { $0 | 1 << UInt64(quake.slot(named: $1)!) }] }
    #expect(columns.bitmap(slots: bits("region"), toMany: []) == [0x80, 0])
    #expect(columns.bitmap(slots: bits("place", "reviewed"), toMany: [0]) == [0x01, 0x88])
    #expect(columns.names(in: [0x01, 0x88]) == ["place", "reviewed", "tags"])
    #expect(columns.names(in: [0, 0x0F, 0xFF]) == ["tags"])
  }

  @Test func inheritedPropertiesAreInTheOrderOfNames() throws {
    let model = libraryModel()
    let columns = HistoryWriter(schema: try StoreSchema(model: model)).columns(of: model.layout("GraphicNovel"))
    #expect(
      columns.names == [
        "author", "cover", "isBlackAndWhite", "pagesCount", "price", "publishedAt", "title", "uniqueID", "pages",
      ])
  }

  @Test func deletedRowsKeepMarkedValues() throws {
    let feed = entity(
      "Feed",
      [
        attribute("url", .URIAttributeType, preserved: true), attribute("title", .stringAttributeType),
        attribute("code", .stringAttributeType, preserved: true),
      ])
    let model = frozenModel([feed])
    let writer = HistoryWriter(schema: try StoreSchema(model: model))
    #expect(writer.tombstoneCount == 2)
    #expect(writer.columns(of: feed.layout).tombstones.map { feed.layout.slots[$0].name } == ["code", "url"])
    #expect(
      HistoryWriter.create(tombstones: 2)[0].text.hasSuffix("ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB, ZTOMBSTONE1 BLOB )"))
    #expect(
      HistoryWriter.insertDeletion(tombstones: 2) == """
        INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS, ZTOMBSTONE0, \
        ZTOMBSTONE1) VALUES (?1, 16001, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """)
  }

  @Test func metadataAreAPropertyList() throws {
    let schema = try StoreSchema(model: libraryModel())
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
    #expect(schema.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: read))
  }

  /// Metadata of every kind that a program may add, in both forms of a property list.
  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func metadataOfEveryKindComeBack(_ format: PropertyListSerialization.PropertyListFormat) throws {
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

  /// Lists that name themselves, or objects that are not there, are damaged; nothing is read for ever.
  @Test func metadataThatNameThemselvesAreRefused() throws {
    var bytes = Array("bplist00".utf8)
    // A dictionary of one pair: its key is object 1, its value itself.
    bytes += [0xD1, 0x01, 0x00, 0x51, UInt8(ascii: "a"), 8, 11]
    for number in [0x101, 2, 0, 13] as [UInt64] { withUnsafeBytes(of: number.bigEndian) { bytes += $0 } }
    let error = #expect(throws: StoreError.self) { try StoreMetadata.dictionary(from: bytes) }
    #expect(error?.code == .corrupt)
  }

  @Test func damagedMetadataAreNamed() {
    let error = #expect(throws: StoreError.self) { try StoreMetadata.dictionary(from: [1, 2, 3]) }
    #expect(error?.message.contains("Z_PLIST") == true)
  }
}
