import Foundation

/// References that wait until all objects are there, in a file without a name: there may be as many as objects.
final class WaitingReferences {
  struct Reference {
    let line: Int
    /// The row of the object that refers.
    let row: UInt64
    /// The name of each relationship, and the IDs of all of its members.
    let relationships: [(name: String, ids: [String])]

    init(line: Int, row: UInt64, relationships: [(String, [String])]) {
      (self.line, self.row, self.relationships) = (line, row, relationships)
    }
  }

  private let stream: UnsafeMutablePointer<FILE>
  private var isReading = false

  init() throws {
    // The system removes the file when the process ends.
    guard let stream = tmpfile() else {
      throw ToolFailure(.unusable, "cannot create a temporary file: \(String(cString: strerror(errno)))")
    }
    self.stream = stream
  }

  deinit { fclose(stream) }

  func add(_ reference: Reference) throws {
    let relationships = reference.relationships.map { name, ids in
      JSONNode.Member(name, .list(ids.map(JSONNode.text)))
    }
    var bytes: [UInt8] = []
    JSONNode.list([
      .integer(Int64(reference.line)), .integer(Int64(bitPattern: reference.row)), .members(relationships),
    ]).write(to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    let written = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, stream) }
    guard written == bytes.count else { throw failure }
  }

  private var failure: ToolFailure {
    ToolFailure(.unusable, "cannot use a temporary file: \(String(cString: strerror(errno)))")
  }

  /// Reads on, from the first reference. None can be added after that.
  /// - Returns: nil if there are no more.
  func next(_ count: Int) throws -> [Reference]? {
    if !isReading {
      guard fflush(stream) == 0 else { throw failure }
      rewind(stream)
      isReading = true
    }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    var references: [Reference] = []
    while references.count < count {
      let length = getline(&line, &capacity, stream)
      guard length > 0, let text = line else { break }
      references += text.withMemoryRebound(to: UInt8.self, capacity: length) {
        Self.reference(UnsafeBufferPointer(start: $0, count: length))
      }
    }
    guard ferror(stream) == 0 else { throw failure }
    return references.isEmpty ? nil : references
  }

  /// The reference in a line; none for what `add` has not written.
  private static func reference(_ line: UnsafeBufferPointer<UInt8>) -> [Reference] {
    guard case .list(let parts)? = try? JSONParser.node(in: line), parts.count == 3,
      case .integer(let number) = parts[0], case .integer(let row) = parts[1], case .members(let members) = parts[2]
    else { return [] }
    let relationships = members.map { member in
      guard case .list(let nodes) = member.value else { return (member.name, [String]()) }
      return (member.name, nodes.compactMap { if case .text(let id) = $0 { id } else { nil } })
    }
    return [Reference(line: Int(number), row: UInt64(bitPattern: row), relationships: relationships)]
  }
}
