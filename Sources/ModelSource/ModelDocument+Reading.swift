import StrataFormats

extension ModelDocument {
  /// Reads the `contents` file of an `.xcdatamodel` folder.
  /// - Parameter file: the name of the file in errors and warnings.
  package init(contents bytes: [UInt8], file: String) throws(FileFormatError) {
    let root = try XMLReader.root(bytes, file: file)
    guard root.name == "model" else {
      throw FileFormatError(file: file, line: root.line, "expected <model>, found <\(root.name)>")
    }
    self.file = file
    let reader = DocumentElement(root, file: file)
    try read(reader)
    warnings = reader.finish()
  }

  private mutating func read(_ model: DocumentElement) throws(FileFormatError) {
    model.ignore(
      "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion", "macOSVersion",
      "iOSVersion", "name")
    model.ignoreChildren("elements")
    versionIdentifier = model.text("userDefinedModelVersionIdentifier")
    sourceLanguage = model.word("sourceLanguage")
    isUsedWithCloudKit = try model.flag("usedWithCloudKit")
    isUsedWithSwiftData = try model.flag("usedWithSwiftData")
    entities = try model.children("entity", read: Entity.init)
    composites = try model.children("composite", read: Composite.init)
    fetchRequests = try model.children("fetchRequest", read: FetchRequest.init)
    configurations = try model.children("configuration", read: Configuration.init)
  }
}

extension ModelDocument.Entity {
  init(_ entity: DocumentElement) throws(FileFormatError) {
    line = entity.line
    name = try entity.required("name")
    representedClassName = entity.word("representedClassName")
    parentName = entity.word("parentEntity")
    isAbstract = try entity.flag("isAbstract")
    isSyncable = try entity.flag("syncable")
    renamingIdentifier = entity.word("elementID")
    versionHashModifier = entity.word("versionHashModifier")
    spotlightDisplayName = entity.word("coreSpotlightDisplayNameExpression")
    if let word = entity.word("codeGenerationType") {
      codeGeneration = ModelDocument.CodeGeneration(rawValue: word) ?? .manual
      if ModelDocument.CodeGeneration(rawValue: word) == nil { entity.warn("unknown codeGenerationType \"\(word)\"") }
    }
    attributes = try entity.children("attribute", read: ModelDocument.Attribute.init)
    relationships = try entity.children("relationship", read: ModelDocument.Relationship.init)
    fetchedProperties = try entity.children("fetchedProperty", read: ModelDocument.FetchedProperty.init)
    fetchIndexes = try entity.children("fetchIndex", read: ModelDocument.FetchIndex.init)
    compoundIndexes = try Self.lists(of: entity, outer: "compoundIndexes", inner: "compoundIndex", leaf: "index")
    uniquenessConstraints = try Self.lists(
      of: entity, outer: "uniquenessConstraints", inner: "uniquenessConstraint", leaf: "constraint")
    userInfo = try entity.userInfo()
  }

  /// Returns the values of nested lists: `<outer><inner><leaf value="a"/>…</inner>…</outer>`.
  private static func lists(
    of entity: DocumentElement, outer: String, inner: String, leaf: String
  ) throws(FileFormatError) -> [[String]] {
    try entity.children(outer) { outer throws(FileFormatError) in
      try outer.children(inner) { inner throws(FileFormatError) in
        try inner.children(leaf) { leaf throws(FileFormatError) in try leaf.required("value") }
      }
    }.flatMap(\.self)
  }
}

extension ModelDocument.Composite {
  init(_ composite: DocumentElement) throws(FileFormatError) {
    line = composite.line
    name = try composite.required("name")
    composite.ignore("syncable")
    attributes = try composite.children("attribute", read: ModelDocument.Attribute.init)
  }
}

extension ModelDocument.Configuration {
  init(_ configuration: DocumentElement) throws(FileFormatError) {
    line = configuration.line
    name = try configuration.required("name")
    isUsedWithCloudKit = try configuration.flag("usedWithCloudKit")
    memberNames = try configuration.children("memberEntity") { member throws(FileFormatError) in
      try member.required("name")
    }
  }
}

extension ModelDocument.FetchIndex {
  init(_ index: DocumentElement) throws(FileFormatError) {
    line = index.line
    name = try index.required("name")
    partialPredicateText = index.word("partialIndexPredicate")
    elements = try index.children("fetchIndexElement", read: ModelDocument.IndexElement.init)
  }
}

extension ModelDocument.IndexElement {
  init(_ element: DocumentElement) throws(FileFormatError) {
    line = element.line
    propertyName = element.word("property")
    expressionText = element.word("expression")
    if let word = element.word("expressionType") {
      guard let type = NSAttributeType(modelWord: word) else {
        throw element.error("expressionType is a type of attribute such as String, found \"\(word)\"")
      }
      expressionType = type
    }
    guard propertyName != nil || expressionText != nil else {
      throw element.error("<fetchIndexElement> needs the attribute property or expression")
    }
    switch element.word("type")?.lowercased() {
    case nil, "binary": collation = .binary
    case "rtree", "r-tree": collation = .rTree
    case let word?: throw element.error("type is Binary or RTree, found \"\(word)\"")
    }
    switch element.word("order") {
    case nil, "ascending": isAscending = true
    case "descending": isAscending = false
    case let word?: throw element.error("order is ascending or descending, found \"\(word)\"")
    }
  }
}
