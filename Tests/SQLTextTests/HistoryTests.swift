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

  @Test func damagedMetadataAreNamed() {
    let error = #expect(throws: StoreError.self) { try StoreMetadata.dictionary(from: [1, 2, 3]) }
    #expect(error?.message.contains("Z_PLIST") == true)
  }
}
