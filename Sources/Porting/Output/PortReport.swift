/// The text about ported files.
package struct PortReport {
  private let files: [PortedFile]
  private let isWritten: Bool

  /// - Parameter isWritten: whether the changes are on disk, so that the lines of places are those of the results.
  package init(_ files: [PortedFile], isWritten: Bool) { (self.files, self.isWritten) = (files, isWritten) }

  package var hasChanges: Bool { files.contains(where: \.isChanged) }

  package var hasRemarks: Bool { files.contains { !$0.remarks.isEmpty } }

  /// The changes as a diff. `git apply` and `patch -p1` apply it in the working directory if that contains all changed files,
  /// and otherwise in `/`.
  package func diff(workingDirectory: String) -> [UInt8] {
    let changed = files.filter(\.isChanged)
    let paths = PatchPaths(changed.map(\.path), workingDirectory: workingDirectory).paths
    return zip(changed, paths).flatMap { UnifiedDiff.bytes(from: $0.original, to: $0.result, path: $1) }
  }

  /// The places that need manual changes, with their files.
  package var places: [(path: String, remark: Remark)] {
    files.flatMap { file in (isWritten ? file.resultRemarks : file.remarks).map { (file.path, $0) } }
  }

  /// The places as text: file, line, reason, and section of the article on porting.
  package var remarks: [String] {
    places.map { path, remark in
      let advice = remark.section.map { " (see \"\($0.rawValue)\")" } ?? ""
      return "\(path):\(remark.line): warning: \(remark.reason)\(advice)"
    }
  }

  /// The number of changes, files and remarks.
  package var summary: String {
    let changes = files.reduce(0) { $0 + $1.counts.values.reduce(0, +) }
    let changed = files.count(where: \.isChanged)
    let places = places.count
    let verb = isWritten ? "made" : "proposed"
    return "\(Self.count(changes, "change")) in \(Self.count(changed, "file")) \(verb), "
      + "\(Self.count(places, "place")) \(places == 1 ? "needs" : "need") manual changes"
      + (places > 0 ? "; see the article \"Porting from Apple's Core Data\"" : "")
  }

  private static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
