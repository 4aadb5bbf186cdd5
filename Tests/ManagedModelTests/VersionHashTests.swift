import Foundation
import StrataFormats
import StrataManagedModel
import StrataPredicates
import StrataTestSupport
import Testing

/// Version hashes compared with the hashes in stores written by Apple's Core Data.
@Suite struct VersionHashTests {
  @Test func `attributes hash as in Apple's stores`() {
    let entity = makeEntity("TrackerDomain", [attribute("domain"), attribute("domainOwner")])
    #expect(versionHash(entity) == "163d603b048805dd6b5ca30b3e143407ee17a3b94b810228462bbc2c26d2242d")
  }

  @Test func `required attributes of other types hash as in Apple's stores`() {
    let entity = makeEntity(
      "Graph",
      [
        attribute("version", .integer16, optional: false), attribute("labelStrings", .binaryData),
        attribute("identifier", optional: false),
      ])
    #expect(versionHash(entity) == "c1cd7617784d29811e634347e72059884c07f0974684bb2a36084b52a681b999")
  }

  @Test func `a to-one relationship with an inverse hashes as in Apple's stores`() {
    let participant = makeEntity("ShareParticipant")
    let there = relationship("participant", to: participant, max: 1, optional: false)
    let contributor = makeEntity("AssetContributor", [there])
    addInverse("assetContributors", max: 0, of: there, from: contributor)
    #expect(
      versionHash(contributor, participant) == "7f32e07751739c501662257218f9a33920727bd310f3cc4abc8b8852c9cf9b7f")
  }

  @Test func `a to-one relationship without an inverse hashes as in Apple's stores`() {
    let label = makeEntity("GraphLabel")
    let entity = makeEntity(
      "GraphEdgeAdditionalLabelAssignment", [relationship("label", to: label, max: 1, optional: false)])
    #expect(versionHash(entity, label) == "7498149d1278d6fc84a605eedf370f1e9ca30853b4bfa1bdd8ff7c695dd57b5d")
  }

  @Test func `a to-many relationship hashes as in Apple's stores`() {
    let author = makeEntity("Author")
    let there = relationship("authors", to: author, max: 0)
    let book = makeEntity("Book", [attribute("title"), there])
    addInverse("books", max: 0, of: there, from: book)
    #expect(versionHash(book, author) == "292c923e48c2cbeea5a113bb7685fbc63ab800c0bbc242ad17a0f2e2a1e08f5c")
  }

  @Test func `uniqueness constraints hash as in Apple's stores`() {
    let one = makeEntity(
      "SyncableSettingsMetadata", unique: [["key"]],
      [attribute("key", optional: false), attribute("lastModified", .date)])
    #expect(versionHash(one) == "d3b4d556db699538ab922ef424e5a35caa7ed626f29a1d8f03bf509c3d737c2d")
    let joined = makeEntity(
      "KeyValue", unique: [["domain", "key"]],
      [attribute("key", optional: false), attribute("value", .transformable), attribute("domain")])
    #expect(versionHash(joined) == "f5e07a3bbedf7eed1054342d5e889599d465a8415a63df0c3f9020fc88067f45")
    let two = makeEntity(
      "GraphLabel", unique: [["code"], ["alias"]],
      [
        attribute("code", .integer32), attribute("alias"),
        attribute("edgeExternalIdentifierDataHavingLabel", .binaryData),
        attribute("nodeExternalIdentifierDataHavingLabel", .binaryData),
      ])
    #expect(versionHash(two) == "201e820c6a7a72d7eed9cc9f2f911973e2b3187be0184b2f49b7ab9efd635190")
  }

  @Test func `an abstract entity hashes as in Apple's stores`() {
    let entity = makeEntity(
      "GeographicRegion", abstract: true, unique: [["numericISO3166Code", "uniquenessDummy"]],
      [
        attribute("numberOfMoods", .integer64, optional: false), attribute("updatedAt", .date, optional: false),
        attribute("markedForDeletionDate", .date), attribute("numericISO3166Code", .integer16, optional: false),
        attribute("uniquenessDummy", .integer16, optional: false),
      ])
    #expect(versionHash(entity) == "c0e025164cb30e0c0736b581b14a9e832c948d9cbd6c58e189370e3c6afd6aa9")
  }

  @Test func `modifiers of entities and properties hash as in Apple's stores`() {
    let attributes = makeEntity("AdditionalAssetAttributes")
    let there = relationship("assetAttributes", to: attributes, max: 1)
    let scene = makeEntity(
      "SceneClassification", modifier: "radar35318904",
      [
        there, attribute("sceneIdentifier", .integer32, optional: false, modifier: "radar35184237,35318904"),
        attribute("confidence", .double, optional: false),
      ])
    addInverse("sceneClassifications", max: 0, of: there, from: scene)
    #expect(versionHash(scene, attributes) == "08d353e54e67dc0aa9b113bd541136aad0a5b7a15cd94b0d01ee8aa203214e1b")
  }

  @Test func `the version hash excludes transient attributes and includes the parent`() {
    let person = makeEntity("Person")
    let owner = relationship("owner", to: person, max: 1)
    let sportCar = makeEntity("SportCar")
    let car = makeEntity(
      "Car", unique: [["numberPlate"]],
      [
        owner, attribute("color", .transformable), attribute("maker"),
        attribute("markedForDeletionAsOf", .date), attribute("model"), attribute("numberPlate", optional: false),
        attribute("currentDrivingSpeed", .integer64, transient: true),
      ], subentities: [sportCar])
    addInverse("cars", max: 0, of: owner, from: car)
    #expect(versionHash(car, sportCar, person) == "9e555529072158220d1bacd2f80a3dad4919f74a32aa8be9ee22a6a7b4126c8f")
    #expect(versionHash(sportCar, car, person) == "514ec1907a568299f9fb6851106516136f0755f45fa53a823a0e4d44013d5313")
  }

  @Test func `a subentity's ordered relationship hashes as in Apple's stores`() {
    let asset = makeEntity("Asset")
    let assets = relationship("entryAssets", to: asset, max: 0, ordered: true)
    let entry = makeEntity("CloudFeedAssetsEntry", [assets])
    addInverse("cloudFeedAssetsEntry", max: 1, of: assets, from: entry)
    let parent = makeEntity(
      "CloudFeedEntry", modifier: "11066",
      [
        attribute("entryPriorityNumber", .integer16, optional: false), attribute("entryDate", .date, optional: false),
        attribute("entryInvitationRecordGUID"), attribute("entryAlbumGUID"),
        attribute("entryTypeNumber", .integer16, optional: false),
      ], subentities: [entry])
    #expect(versionHash(parent, entry, asset) == "555ebf7034e2f684aedecbe1661721e2cb29522b175ba7a09eea7c278e1a9d79")
    #expect(versionHash(entry, parent, asset) == "cbb66eab391a52d6f0a6b75ba62ff34013d7f5541d34ec7ac0e8d82450052fc5")
  }

  @Test func `a derived attribute hashes as its expression`() throws {
    func book(_ expression: StrataPredicates.NSExpression) -> String {
      let (author, page) = (makeEntity("Author"), makeEntity("Page"))
      let count = NSDerivedAttributeDescription()
      count.name = "pagesCount"
      count.type = .integer64
      count.derivationExpression = expression
      let authors = relationship("author", to: author, max: 1, optional: false)
      let pages = relationship("pages", to: page, max: 10_000, optional: false)
      (authors.minCount, pages.minCount) = (1, 1)
      let book = makeEntity(
        "Book", unique: [["uniqueID"]],
        [
          authors, pages, count, attribute("frontCover", .transformable, optional: false),
          attribute("price", .decimal, optional: false), attribute("publishedAt", .date, optional: false),
          attribute("title", optional: false), attribute("uniqueID", .uuid, optional: false),
        ])
      addInverse("books", max: 0, of: authors, from: book)
      addInverse("book", max: 1, of: pages, from: book)
      return versionHash(book, author, page)
    }
    let counted = StrataPredicates.NSExpression(
      forFunction: "count:", arguments: [StrataPredicates.NSExpression(forKeyPath: "pages")])
    #expect(book(counted) == "33ac3733a780db28955479ba9f9989cd9acd0ee1dade9b545e4b746751730100")
  }

  @Test func `a derived attribute of a key path hashes as in Apple's stores`() {
    let label = makeEntity("GraphLabel")
    let value = makeEntity("GraphNodeValue")
    let code = NSDerivedAttributeDescription()
    code.name = "primaryLabelCode"
    code.type = .integer32
    code.preservesValueInHistoryOnDeletion = true
    code.derivationExpression = StrataPredicates.NSExpression(forKeyPath: "primaryLabel.code")
    let links = [
      relationship("primaryLabel", to: label, max: 1), relationship("additionalLabels", to: label, max: 0),
      relationship("values", to: value, max: 0),
    ]
    let plain = ["edgeDeletionCounter", "cplChangeFlag"] + (0...4).map { "changeFlag\($0)" }
    let kept = [attribute("uuid"), attribute("cloudDeleteState", .integer16, optional: false)]
    for attribute in kept { attribute.preservesValueInHistoryOnDeletion = true }
    let node = makeEntity(
      "GraphNode",
      links + kept + plain.map { attribute($0, .integer32, optional: false) }
        + [attribute("cloudLocalState", .integer16, optional: false), code])
    for (name, link) in zip(["nodesBeingPrimaryLabel", "nodesBeingAdditionalLabel", "node"], links) {
      addInverse(name, max: 0, of: link, from: node)
    }
    #expect(versionHash(node, label, value) == "fdc67bd2ad561df1bddcc71c68134d0e15bad16a8720d0fb22e5462ca10ecac2")
  }

  @Test func `a derivation in a model file hashes like its function form`() throws {
    let source = try model(
      """
      <entity name="Place"><attribute name="n" attributeType="Integer 64" derived="YES" \
      derivationExpression="quakes.@count"/><attribute name="s" attributeType="Double" derived="YES" \
      derivationExpression="quakes.@sum.depth"/></entity>
      """)
    let derived = source.entities[0].attributesByName.mapValues { hexadecimal($0.versionHash) }
    #expect(derived["n"] == hexadecimal(Data(SHA2.hash256(Array("count:(quakes)".utf8)))))
    #expect(derived["s"] == hexadecimal(Data(SHA2.hash256(Array("sum:(quakes.depth)".utf8)))))
  }

  @Test func `a composite attribute's elements are part of the version hash`() throws {
    func hash(_ element: String) throws -> Data {
      let model = try model(
        """
        <entity name="Quake"><attribute name="size" attributeType="Composite" composite="Size"/></entity>
        <composite name="Size"><attribute name="\(element)" attributeType="Double"/></composite>
        """)
      return model.entities[0].versionHash
    }
    #expect(try hash("richter") == hash("richter"))
    #expect(try hash("richter") != hash("mercalli"))
  }

  @Test func `external storage is part of the version hash`() {
    let inside = makeEntity("Photo", [attribute("data", .binaryData)])
    let outside = makeEntity("Photo", [attribute("data", .binaryData, external: true)])
    #expect(inside.versionHash != outside.versionHash)
  }

  @Test func `settings that do not affect rows are not part of the version hash`() {
    let plain = makeEntity("Photo", [attribute("title")])
    let title = attribute("title")
    title.defaultValue = "untitled"
    title.renamingIdentifier = "caption"
    title.userInfo = ["note": "kept"]
    let adorned = makeEntity("Photo", [title, attribute("draft", transient: true)])
    adorned.managedObjectClassName = "Gallery.Photo"
    #expect(plain.versionHash == adorned.versionHash)
  }

  @Test func `a model is compatible with metadata of its own hashes`() {
    let model = makeModel([makeEntity("Photo", [attribute("title")]), makeEntity("Album")])
    let other = makeModel([makeEntity("Photo", [attribute("title", .integer16)]), makeEntity("Album")])
    let metadata = [NSStoreModelVersionHashesKey: model.entityVersionHashesByName]
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    #expect(!other.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
    #expect(model.versionChecksum != other.versionChecksum)
    #expect(Data(base64Encoded: model.versionChecksum)?.count == 32)
    #expect(Data(base64Encoded: model.entityVersionHashesByName.versionDigest)?.count == 64)
  }
}
