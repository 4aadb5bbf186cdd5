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

  private static func changes(in code: LiveCode, _ facts: ModuleFacts) -> FileEdits {
    var changes = FileEdits()
    guard code.isSound else {
      changes.remark("Not ported: unbalanced quotes, comments, brackets or #if blocks")
      return changes
    }
    if let view = InterfaceFile.reason(code) {
      changes.remark(view.type, view.reason, .frameworks)
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
  private static func addAliases(to codes: [LiveCode], _ facts: ModuleFacts, _ changes: inout [FileEdits]) {
    let used = codes.map { $0.isSound && InterfaceFile.reason($0) == nil ? AliasRule.uses(in: $0) : [] }
    let missing = AliasRule.names.filter { name in
      !facts.types.contains(name) && used.contains { $0.contains(name) }
    }
    guard facts.usesCoreData, let index = used.firstIndex(where: { !$0.isDisjoint(with: missing) }) else { return }
    AliasRule.add(missing, to: codes[index], &changes[index])
  }
}

/// A source before and after.
package struct PortedFile {
  package let path: String
  package let original: [UInt8]
  /// The source for both platforms.
  package let result: [UInt8]
  /// The places that need manual changes, by line of the original.
  package let remarks: [Remark]
  /// The same places, by line of the result.
  package let resultRemarks: [Remark]
  /// The number of rewritten places, for each reason.
  package let counts: [Reason: Int]

  package var isChanged: Bool { original != result }

  init(path: String, mark: [UInt8], text: [UInt8], changes: FileEdits) {
    self.path = path
    original = mark + text
    let edits = Self.applicable(changes.edits)
    result = mark + Self.applying(edits, to: text)
    let remarks = changes.remarks.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
      .map(\.element)
    self.remarks = remarks
    resultRemarks = remarks.map { Self.moved($0, by: edits, of: text) }
    counts = changes.counts
  }

  /// The edits in the order of their places, without those inside an earlier one. Insertions at one place keep their order.
  private static func applicable(_ edits: [Edit]) -> [Edit] {
    let sorted = edits.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    var result: [Edit] = []
    for edit in sorted.map(\.element) where edit.range.lowerBound >= result.last?.range.upperBound ?? 0 {
      result.append(edit)
    }
    return result
  }

  private static func applying(_ edits: [Edit], to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    for edit in edits {
      result += bytes[position..<edit.range.lowerBound]
      result += Array(edit.text.utf8)
      position = edit.range.upperBound
    }
    return result + bytes[position...]
  }

  /// A remark at its line after the edits before it.
  private static func moved(_ remark: Remark, by edits: [Edit], of bytes: [UInt8]) -> Remark {
    let lineBreak = UInt8(ascii: "\n")
    var remark = remark
    for edit in edits where edit.range.upperBound <= remark.offset {
      remark.line += edit.text.utf8.count { $0 == lineBreak } - bytes[edit.range].count { $0 == lineBreak }
    }
    return remark
  }
}
