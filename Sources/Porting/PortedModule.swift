/// A module's sources, rewritten so that they compile on Linux and on Apple's platforms.
package struct PortedModule {
  package let files: [PortedFile]

  /// - Parameters:
  ///   - files: the module's sources.
  ///   - modelNames: the names of entities and properties in the module's models.
  package init(_ files: [(path: String, bytes: [UInt8])], modelNames: Set<String> = []) {
    let marks = files.map { $0.bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark : [] }
    let codes = zip(files, marks).map { LiveCode(Array($0.bytes.dropFirst($1.count))) }
    let facts = ModuleFacts(files: codes, modelNames: modelNames)
    var changes = codes.map { Self.changes(in: $0, facts) }
    Self.addAliases(to: codes, facts, &changes)
    self.files = files.indices.map { index in
      PortedFile(path: files[index].path, mark: marks[index], text: codes[index].source.bytes, changes: changes[index])
    }
  }

  /// The bytes that some editors write before the first character.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static func changes(in code: LiveCode, _ facts: ModuleFacts) -> Changes {
    var changes = Changes()
    guard code.isSound else {
      changes.leave(1, "The file stays as it is: its strings, comments, brackets or conditions do not match", .imports)
      return changes
    }
    if let view = InterfaceFile.reason(code) {
      changes.leave(view.line, view.reason, .frameworks)
      return changes
    }
    AttributeRule.apply(to: code, facts, &changes)
    KeyPathRule.apply(to: code, facts, &changes)
    SelectorRule.apply(to: code, facts, &changes)
    RequestRule.apply(to: code, facts, &changes)
    NameRule.apply(to: code, facts, &changes)
    RemarkRule.apply(to: code, facts, &changes)
    changes.precede(with: ImportRule.changes(in: code, facts, needsCoreData: changes.needsCoreData))
    return changes
  }

  /// The first file that uses a name gets the aliases of the module.
  private static func addAliases(to codes: [LiveCode], _ facts: ModuleFacts, _ changes: inout [Changes]) {
    let used = codes.map { $0.isSound && InterfaceFile.reason($0) == nil ? AliasRule.uses(in: $0) : [] }
    let missing = AliasRule.names.filter { name in
      !facts.types.contains(name) && used.contains { $0.contains(name) }
    }
    guard facts.usesCoreData, let place = used.firstIndex(where: { !$0.isDisjoint(with: missing) }) else { return }
    AliasRule.add(missing, to: codes[place], &changes[place])
  }
}

/// A source before and after.
package struct PortedFile {
  package let path: String
  package let original: [UInt8]
  /// The source for both platforms.
  package let result: [UInt8]
  /// The places that are left to people, by line.
  package let remarks: [Remark]
  /// The number of rewritten places, for each reason.
  package let counts: [Reason: Int]

  package var isChanged: Bool { original != result }

  init(path: String, mark: [UInt8], text: [UInt8], changes: Changes) {
    self.path = path
    original = mark + text
    result = mark + Self.applying(changes.edits, to: text)
    remarks = changes.remarks.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
      .map(\.element)
    counts = changes.counts
  }

  private static func applying(_ edits: [Edit], to bytes: [UInt8]) -> [UInt8] {
    // Insertions at one place keep their order.
    let sorted = edits.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    var result: [UInt8] = []
    var position = 0
    for edit in sorted.map(\.element) where edit.range.lowerBound >= position {
      result += bytes[position..<edit.range.lowerBound]
      result += Array(edit.text.utf8)
      position = edit.range.upperBound
    }
    return result + bytes[position...]
  }
}
