import StrataFormats

extension ModelDocument.Property {
  init(_ property: DocumentElement) throws(FileFormatError) {
    line = property.line
    name = try property.required("name")
    isOptional = try property.flag("optional")
    isTransient = try property.flag("transient")
    isSyncable = try property.flag("syncable")
    isIndexed = try property.flag("indexed")
    isIndexedBySpotlight = try property.flag("spotlightIndexingEnabled")
    isStoredInTruthFile = try property.flag("storedInTruthFile")
    renamingIdentifier = property.word("elementID")
    versionHashModifier = property.word("versionHashModifier")
    userInfo = try property.userInfo()
  }
}

extension ModelDocument.Attribute {
  init(_ attribute: DocumentElement) throws(FileFormatError) {
    property = try ModelDocument.Property(attribute)
    if let word = attribute.word("attributeType") {
      if let type = NSAttributeType(modelWord: word) {
        self.type = type
      } else {
        property.isTransient = true
        attribute.warn(
          "attributeType must be a type such as \"Integer 64\" or \"String\", found \"\(word)\": \(property.name) is left out of "
            + "stores")
      }
    }
    usesScalarValueType = try attribute.flag("usesScalarValueType")
    defaultText = attribute.text("defaultValueString")
    defaultSeconds = try attribute.seconds("defaultDateTimeInterval")
    minimumText = attribute.word("minValueString")
    minimumSeconds = try attribute.seconds("minDateTimeInterval")
    maximumText = attribute.word("maxValueString")
    maximumSeconds = try attribute.seconds("maxDateTimeInterval")
    pattern = attribute.word("regularExpressionString")
    valueTransformerName = attribute.word("valueTransformerName")
    customClassName = attribute.word("customClassName")
    allowsExternalBinaryDataStorage = try attribute.flag("allowsExternalBinaryDataStorage")
    preservesValueInHistoryOnDeletion = try attribute.flag("preserveAfterDeletion")
    allowsCloudEncryption = try attribute.flag("allowsCloudEncryption")
    isDerived = try attribute.flag("derived")
    derivationText = attribute.word("derivationExpression")
    compositeName = attribute.word("composite")
    if isDerived, derivationText == nil {
      attribute.warn("the derived attribute \(property.name) has no derivationExpression and is not derived")
    }
    if type == .compositeAttributeType, compositeName == nil {
      throw attribute.error("a composite attribute needs the attribute composite")
    }
  }
}

extension ModelDocument.Relationship {
  init(_ relationship: DocumentElement) throws(FileFormatError) {
    property = try ModelDocument.Property(relationship)
    destinationName = try relationship.required("destinationEntity")
    inverseName = relationship.word("inverseName")
    // The inverse is a relationship of the destination, whose name the file repeats.
    relationship.ignore("inverseEntity")
    isToMany = try relationship.flag("toMany")
    minCount = try relationship.integer("minCount") ?? 0
    maxCount = try relationship.integer("maxCount") ?? (isToMany ? 0 : 1)
    isOrdered = try relationship.flag("ordered")
    if !isToMany, maxCount != 1 { throw relationship.error("a relationship that is not toMany has maxCount=\"1\"") }
    switch relationship.word("deletionRule") {
    case nil, "Nullify": deleteRule = .nullifyDeleteRule
    case "Cascade": deleteRule = .cascadeDeleteRule
    case "Deny": deleteRule = .denyDeleteRule
    case "No Action": deleteRule = .noActionDeleteRule
    case let word?:
      throw relationship.error("deletionRule is Nullify, Cascade, Deny or No Action, found \"\(word)\"")
    }
  }
}

extension ModelDocument.FetchedProperty {
  init(_ fetched: DocumentElement) throws(FileFormatError) {
    property = try ModelDocument.Property(fetched)
    let requests = try fetched.children("fetchRequest", read: ModelDocument.FetchRequest.init)
    guard let request = requests.first else { throw fetched.error("<fetchedProperty> needs a <fetchRequest>") }
    self.request = request
  }
}

extension ModelDocument.FetchRequest {
  /// Missing values default to those of a new request; ID requests have no property values, and dictionary requests no
  /// pending changes: these do not go together.
  init(_ request: DocumentElement) throws(FileFormatError) {
    line = request.line
    name = try request.required("name")
    entityName = try request.required("entity")
    predicateText = request.word("predicateString")
    options.fetchLimit = try request.integer("fetchLimit") ?? 0
    options.fetchBatchSize = try request.integer("fetchBatchSize") ?? 0
    let type = try request.integer("resultType") ?? 0
    guard [0, 1, 2, 4].contains(type) else { throw request.error("resultType is 0, 1, 2 or 4, found \(type)") }
    options.resultType = type
    options.includesSubentities = try request.choice("includeSubentities") ?? true
    options.includesPropertyValues = try request.choice("includePropertyValues") ?? (type != 1)
    options.includesPendingChanges = try request.choice("includesPendingChanges") ?? (type != 2)
    options.returnsObjectsAsFaults = try request.choice("returnObjectsAsFaults") ?? true
    options.returnsDistinctResults = try request.flag("returnDistinctResults")
  }
}
