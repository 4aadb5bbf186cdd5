import StrataFormats

/// Builds the archive of the model that a document describes.
///
/// A program's build and the reader of `.xcdatamodel` folders share it, so that both understand a document in the same
/// way. It works on plain values, because a build compiles it for its own program too.
package struct ModelAssembly: ModelArchiveEncoder {
  let document: ModelDocument
  /// The module that a leading dot in a class name stands for; nil drops the dot.
  let module: String?
  let syntax: SyntaxCheck?
  package var buffer = ModelArchiveBuffer()
  package private(set) var warnings: [ModelWarning] = []
  /// The index of each entity by name.
  private(set) var numbers: [String: Int] = [:]
  let index: EntityIndex
  /// The indexes of each entity's children.
  private let children: [String: [Int]]

  /// The reason a predicate or expression is invalid; nil if it is valid.
  ///
  /// A build has no parser for them: it leaves this check to the program that reads the archive.
  package struct SyntaxCheck: Sendable {
    var predicate: @Sendable (String) -> String?
    var expression: @Sendable (String) -> String?

    package init(
      predicate: @escaping @Sendable (String) -> String?, expression: @escaping @Sendable (String) -> String?
    ) {
      (self.predicate, self.expression) = (predicate, expression)
    }
  }

  /// - Parameters:
  ///   - module: the module that a leading dot in a class name stands for; if nil, the dot is dropped.
  ///   - syntax: leaves out what is invalid, with a warning; nil to keep it.
  package init(_ document: ModelDocument, module: String?, syntax: SyntaxCheck? = nil) {
    (self.document, self.module, self.syntax) = (document, module, syntax)
    index = EntityIndex(document)
    children = Dictionary(grouping: document.entities.indices.filter { document.entities[$0].parentName != nil }) {
      document.entities[$0].parentName ?? ""
    }
  }

  /// Writes the archive.
  /// - Parameter hashes: the version hashes to include; nil for none.
  /// - Throws: a `FileFormatError` with its line for a contradiction or a missing part.
  package mutating func archive(hashes: [String: [UInt8]]? = nil) throws(FileFormatError) -> [UInt8] {
    if document.entities.count > 4_095 {
      throw error(line: 1, "A model can have at most 4,095 entities; this one has \(document.entities.count).")
    }
    try numberEntities()
    try checkHierarchy()
    for entity in document.entities { try checkNames(of: entity) }
    if let contradiction = document.contradiction(index) { throw contradiction }
    list(document.versionIdentifier.map { [$0] } ?? []) { $0.text($1) }
    // No document has localized strings.
    flags([])
    number(document.entities.count)
    for entity in document.entities { try writeHead(of: entity) }
    for entity in document.entities { try writeTail(of: entity) }
    writeConfigurations()
    writeTemplates()
    if let known = hashes, document.composites.isEmpty {
      for entity in document.entities {
        buffer.bytes += known[entity.name] ?? [UInt8](repeating: 0, count: VersionHash.size)
      }
    }
    return buffer.archive
  }

  // MARK: Entities

  private mutating func numberEntities() throws(FileFormatError) {
    for (number, entity) in document.entities.enumerated() {
      guard numbers.updateValue(number, forKey: entity.name) == nil else {
        throw error(line: entity.line, "there are two entities \(entity.name)")
      }
    }
  }

  private func checkHierarchy() throws(FileFormatError) {
    for entity in document.entities {
      guard let parent = entity.parentName else { continue }
      _ = try number(of: parent, namedBy: "parentEntity", line: entity.line)
      if index.family(of: parent).contains(where: { $0.name == entity.name }) {
        // The line of the last entity of the circle.
        let last = document.entities.last { index.isAncestorOfItself($0.name) } ?? entity
        throw error(line: last.line, "\(last.name) inherits from itself")
      }
    }
  }

  private mutating func writeHead(of entity: ModelDocument.Entity) throws(FileFormatError) {
    text(entity.name)
    text(entity.representedClassName.map(className) ?? "NSManagedObject")
    flags([entity.isAbstract])
    text(entity.renamingIdentifier == entity.name ? nil : entity.renamingIdentifier)
    text(entity.versionHashModifier)
    write(userInfo: entity.userInfo)
    list(children[entity.name] ?? []) { $0.number($1) }
    number(entity.attributes.count + entity.relationships.count + entity.fetchedProperties.count)
    for attribute in entity.attributes { try write(attribute, inComposites: []) }
    for relationship in entity.relationships { try write(relationship, of: entity) }
    for fetched in entity.fetchedProperties { write(fetched) }
  }

  private func checkNames(of entity: ModelDocument.Entity) throws(FileFormatError) {
    var names: Set<String> = []
    for name in entity.propertyNames where !names.insert(name).inserted {
      throw error(line: entity.line, "\(entity.name) has two properties \(name)")
    }
  }

  private mutating func writeConfigurations() {
    var members: [String: [Int]] = [:]
    for configuration in document.configurations {
      var found: [Int] = []
      for name in configuration.memberNames {
        if let number = numbers[name] {
          found.append(number)
        } else {
          warn(
            line: configuration.line,
            "the configuration \(configuration.name) names the entity \(name), which does not exist")
        }
      }
      members[configuration.name] = found
    }
    list(members.sorted { $0.key < $1.key }) { assembly, configuration in
      assembly.text(configuration.key)
      assembly.list(configuration.value) { $0.number($1) }
    }
  }

  // MARK: Parts of everything

  mutating func write(userInfo: [String: String]) {
    // Empty, not absent, so that a program can add to it.
    flags([true])
    list(userInfo.sorted { $0.key < $1.key }) { assembly, entry in
      assembly.text(entry.key)
      assembly.constant(.string(entry.value))
    }
  }

  /// Returns a class's name with the module that a leading dot stands for.
  func className(_ name: String) -> String {
    guard name.hasPrefix(".") else { return name }
    return module.map { $0 + name } ?? String(name.dropFirst())
  }

  /// Returns the number of an entity that something in the file names.
  func number(of entity: String, namedBy what: String, line: Int) throws(FileFormatError) -> Int {
    guard let number = numbers[entity] else {
      throw error(line: line, "\(what) names the entity \(entity), which does not exist")
    }
    return number
  }

  func error(line: Int, _ problem: String) -> FileFormatError { document.error(line: line, problem) }

  mutating func warn(line: Int, _ text: String) {
    warnings.append(ModelWarning(file: document.file, line: line, text))
  }
}

/// Fetch requests.
extension ModelAssembly {
  private mutating func writeTemplates() {
    var requests: [String: ModelDocument.FetchRequest] = [:]
    for request in document.fetchRequests { requests[request.name] = isUsable(request) ? request : nil }
    list(requests.values.sorted { $0.name < $1.name }) { assembly, request in
      assembly.text(request.name)
      assembly.write(request)
    }
  }

  private mutating func write(_ fetched: ModelDocument.FetchedProperty) {
    kind(.fetched)
    var property = fetched.property
    property.isTransient = true
    write(property, rules: [])
    optional(isUsable(fetched.request) ? fetched.request : nil) { $0.write($1) }
  }

  private mutating func write(_ request: ModelDocument.FetchRequest) {
    let options = request.options
    text(request.entityName)
    text(request.predicateText)
    // Neither a having predicate nor sort descriptors.
    text(nil)
    number(0)
    for value in [options.fetchLimit, 0, options.fetchBatchSize, options.resultType] { number(value) }
    flags([
      options.includesSubentities, options.includesPropertyValues, options.includesPendingChanges,
      options.returnsObjectsAsFaults, options.returnsDistinctResults,
    ])
    // All properties, no grouping, no prefetching.
    for _ in 0..<3 { flags([]) }
  }

  /// Whether a request can be run; warns otherwise. Without its predicate it would select other objects.
  private mutating func isUsable(_ request: ModelDocument.FetchRequest) -> Bool {
    if numbers[request.entityName] == nil {
      warn(
        line: request.line,
        "the fetch request \(request.name) names the entity \(request.entityName), which does not exist, and is left out"
      )
      return false
    }
    guard let text = request.predicateText else { return true }
    return predicate(text, of: "the fetch request \(request.name)", line: request.line) != nil
  }

  /// Returns nil, with a warning, for an invalid predicate.
  mutating func predicate(_ text: String, of what: String, line: Int) -> String? {
    guard let problem = syntax?.predicate(text) else { return text }
    warn(line: line, "\(what) is left out: \(problem)")
    return nil
  }

  /// Returns nil, with a warning, for an invalid expression.
  mutating func expression(_ text: String, of what: String, line: Int) -> String? {
    guard let problem = syntax?.expression(text) else { return text }
    warn(line: line, "\(what) is left out: \(problem)")
    return nil
  }
}
