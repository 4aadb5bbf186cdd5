import StrataManagedModel
import StrataSQLText
import StrataTestSupport
import Testing

@Suite struct ChangeTests {
  @Test func `rows are written with the entities of their references`() throws {
    let model = libraryModel()
    let writer = ChangeWriter(schema: try StoreSchema(model: model, dialect: .sqlite))
    let page = model.layout("Page")
    #expect(
      writer.insert(page)
        == RowStatement(
          text: """
            INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZBOOK, Z1_BOOK, ZCONTENT, ZISBOOKMARKED, ZNUMBER) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
          parameters: [.key, .entity, .version, .slot(0), .slotEntity(0), .slot(1), .slot(2), .slot(3)]))
    #expect(
      writer.update(page, slots: [0b1001])
        == RowStatement(
          text: "UPDATE ZPAGE SET Z_OPT = ?, ZBOOK = ?, Z1_BOOK = ?, ZNUMBER = ? WHERE Z_PK = ? AND Z_OPT = ?",
          parameters: [.version, .slot(0), .slotEntity(0), .slot(3), .key, .expectedVersion]))
    #expect(writer.update(page, slots: [0]).text == "UPDATE ZPAGE SET Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?")
    #expect(writer.delete(page, checksVersion: true).text == "DELETE FROM ZPAGE WHERE Z_PK = ? AND Z_OPT = ?")
    #expect(writer.delete(page, checksVersion: false).parameters == [.key])
  }

  @Test func `transient slots are not written`() throws {
    let model = quakeModel()
    let quake = model.layout("Quake")
    let title = try #require(quake.slot(named: "title"))
    let writer = ChangeWriter(schema: try StoreSchema(model: model, dialect: .sqlite))
    #expect(!writer.insert(quake).parameters.contains(.slot(title)))
    #expect(writer.update(quake, slots: [1 << UInt64(title)]).parameters == [.version, .key, .expectedVersion])
  }

  @Test func `a new member of an ordered relationship is moved to the end`() throws {
    let folder = makeEntity("Folder")
    let item = makeEntity("Item")
    let parent = relationship("parent", to: folder, max: 1)
    let items = relationship("items", to: item, max: 0, ordered: true)
    join(parent, items)
    item.properties = [parent]
    folder.properties = [items]
    let model = frozenModel([folder, item])
    let writer = ChangeWriter(schema: try StoreSchema(model: model, dialect: .sqlite))
    let last = "(SELECT IFNULL(MAX(Z_FOK_PARENT), 1024) + 1024 FROM ZITEM WHERE ZPARENT = ?"
    #expect(
      writer.insert(model.layout("Item")).text == """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZPARENT) VALUES (?, ?, ?, ?)
        """)
    #expect(
      writer.update(model.layout("Item"), slots: [1]).text == """
        UPDATE ZITEM SET Z_OPT = ?, ZPARENT = ?, Z_FOK_PARENT = NULL WHERE Z_PK = ? AND Z_OPT = ?
        """)
    #expect(writer.links(of: model.layout("Folder"), relationship: 0) == nil)
    #expect(
      writer.moveToEnd(model.layout("Folder"), relationship: 0)
        == "UPDATE ZITEM SET Z_FOK_PARENT = \(last)1) WHERE +ZPARENT = ?1 AND Z_PK = ?2")
    #expect(
      writer.moveToPosition(model.layout("Folder"), relationship: 0)
        == "UPDATE ZITEM SET Z_FOK_PARENT = ?3 WHERE +ZPARENT = ?1 AND Z_PK = ?2")
  }

  @Test func `many-to-many members are added to and removed from a join table`() throws {
    let model = quakeModel()
    let writer = ChangeWriter(schema: try StoreSchema(model: model, dialect: .sqlite))
    let links = try #require(writer.links(of: model.layout("Quake"), relationship: 0))
    #expect(links.add == "INSERT OR IGNORE INTO Z_1TAGS (Z_1TAGGED, Z_3TAGS) VALUES (?1, ?2)")
    #expect(links.remove == "DELETE FROM Z_1TAGS WHERE Z_1TAGGED = ?1 AND Z_3TAGS = ?2")
    #expect(links.removeAll == "DELETE FROM Z_1TAGS WHERE Z_1TAGGED = ?1")
    #expect(links.addInverse == nil)
    #expect(writer.unlink(model.layout("Tag")) == ["DELETE FROM Z_1TAGS WHERE Z_3TAGS = ?1"])
    #expect(writer.unlink(model.layout("Region")).isEmpty)
  }

  @Test func `ordered many-to-many members are added at the end`() throws {
    let folder = makeEntity("Folder")
    let item = makeEntity("Item")
    let items = relationship("items", to: item, max: 0, ordered: true)
    let folders = relationship("folders", to: folder, max: 0)
    join(items, folders)
    item.properties = [folders]
    folder.properties = [items]
    let model = frozenModel([folder, item])
    let writer = ChangeWriter(schema: try StoreSchema(model: model, dialect: .sqlite))
    let last = "(SELECT IFNULL(MAX(Z_FOK_2ITEMS), 1024) + 1024 FROM Z_1ITEMS WHERE Z_1FOLDERS = "
    #expect(
      writer.links(of: model.layout("Folder"), relationship: 0)?.add
        == "INSERT OR IGNORE INTO Z_1ITEMS (Z_1FOLDERS, Z_2ITEMS, Z_FOK_2ITEMS) VALUES (?1, ?2, \(last)?1))")
    #expect(
      writer.links(of: model.layout("Item"), relationship: 0)?.add
        == "INSERT OR IGNORE INTO Z_1ITEMS (Z_2ITEMS, Z_1FOLDERS, Z_FOK_2ITEMS) VALUES (?1, ?2, \(last)?2))")
  }

  @Test func `a relationship that is its own inverse is written in both directions`() throws {
    let item = makeEntity("Item")
    let twins = relationship("twins", to: item, max: 0)
    join(twins, twins)
    item.properties = [twins]
    let model = frozenModel([item])
    let links = ChangeWriter(schema: try StoreSchema(model: model, dialect: .sqlite)).links(
      of: model.layout("Item"), relationship: 0)
    #expect(links?.add == "INSERT OR IGNORE INTO Z_1TWINS (Z_1TWINS, REFLEXIVE) VALUES (?1, ?2)")
    #expect(links?.addInverse == "INSERT OR IGNORE INTO Z_1TWINS (REFLEXIVE, Z_1TWINS) VALUES (?1, ?2)")
    #expect(links?.removeInverse == "DELETE FROM Z_1TWINS WHERE REFLEXIVE = ?1 AND Z_1TWINS = ?2")
  }

  @Test func `members without an inverse are stored in the destination table`() throws {
    let album = makeEntity("Album")
    let sticker = makeEntity("Sticker")
    album.properties = [relationship("stickers", to: sticker, max: 0)]
    let model = frozenModel([album, sticker])
    let writer = ChangeWriter(schema: try StoreSchema(model: model, dialect: .sqlite))
    let links = try #require(writer.links(of: model.layout("Album"), relationship: 0))
    #expect(links.add == "UPDATE ZSTICKER SET Z1STICKERS = ?1 WHERE Z_PK = ?2 AND Z1STICKERS IS NOT ?1")
    #expect(links.remove == "UPDATE ZSTICKER SET Z1STICKERS = NULL WHERE Z1STICKERS = ?1 AND Z_PK = ?2")
    #expect(writer.unlink(model.layout("Album")) == ["UPDATE ZSTICKER SET Z1STICKERS = NULL WHERE Z1STICKERS = ?1"])
  }
}
