/// The text about ported files.
package struct PortReport {
  private let files: [PortedFile]

  package init(_ files: [PortedFile]) { self.files = files }

  package var hasChanges: Bool { files.contains(where: \.isChanged) }

  package var hasRemarks: Bool { files.contains { !$0.remarks.isEmpty } }

  /// The difference that `patch -p0` applies.
  package var diff: [UInt8] {
    files.flatMap { UnifiedDiff.bytes(from: $0.original, to: $0.result, path: $0.path) }
  }

  /// The places that are left to people: file, line, reason, and section of the article on porting.
  package var remarks: [String] {
    files.flatMap { file in
      file.remarks.map { "\(file.path):\($0.line): left: \($0.reason) (\"\($0.section.rawValue)\")" }
    }
  }

  /// The number of changes, files and remarks.
  package func summary(isWritten: Bool) -> String {
    let changes = files.reduce(0) { $0 + $1.counts.values.reduce(0, +) }
    let changed = files.count(where: \.isChanged)
    let left = remarks.count
    let verb = isWritten ? "made" : "proposed"
    return "\(Self.count(changes, "change")) in \(Self.count(changed, "file")) \(verb), "
      + "\(Self.count(left, "place")) left to you"
      + (left > 0 ? ": the article \"Porting from Apple's Core Data\" has a section for each reason" : "")
  }

  private static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
