import Foundation
import StrataQuakes

extension SettingsFile {
  /// Writes a view into the file. Everything else stays as it is, including comments on other lines.
  ///
  /// - Throws: `Failure` with status 78; the file is unchanged then.
  public func save(_ view: SavedView) throws(Failure) {
    let former = try exists ? text() : nil
    let changed = try changed(former ?? Self.sample, by: view)
    // A symbolic link stays one: its user keeps the file elsewhere, such as in a repository.
    let target = URL(fileURLWithPath: RealPath.of(url.path))
    guard !exists || access(target.filePath, W_OK) == 0 else {
      throw failure("cannot be written: \(Failure.systemError())")
    }
    let temporary = target.deletingLastPathComponent().file(named: ".\(target.lastPathComponent).\(getpid())")
    do {
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(changed.utf8).write(to: temporary, options: .withoutOverwriting)
    } catch {
      throw failure("cannot be written: \(Failure.systemError())")
    }
    defer { unlink(temporary.filePath) }
    var status = stat()
    if stat(target.filePath, &status) == 0 { chmod(temporary.filePath, status.st_mode & 0o7777) }
    guard try (exists ? text() : nil) == former else {
      throw failure("was changed by another program; save the view again")
    }
    guard rename(temporary.filePath, target.filePath) == 0 else {
      throw failure("cannot be written: \(Failure.systemError())")
    }
  }

  /// The text with a view's line, as a document that differs in nothing else.
  func changed(_ text: String, by view: SavedView) throws(Failure) -> String {
    var wanted = try document(text)
    var views: [String: SettingNode] = [:]
    if case .table(let table)? = wanted["views"] { views = table }
    views[view.name] = .value(.other("the view"))
    wanted["views"] = .table(views)
    for changed in Self.candidates(text, view) {
      guard var document = try? SettingNode.tables(of: changed), case .table(var views)? = document["views"] else {
        continue
      }
      var settings = Settings(of: self)
      settings.takeViews(views)
      guard settings.views[view.name] == view else { continue }
      views[view.name] = .value(.other("the view"))
      document["views"] = .table(views)
      if document == wanted { return changed }
    }
    throw failure("has a form that Quakes cannot extend; write under [views]: \(view.line)")
  }

  /// The line of the view replaced; or a new one at the end of its table; or a new table.
  private static func candidates(_ text: String, _ view: SavedView) -> [String] {
    var lines = SettingLines.lines(of: text).map(String.init)
    let end = text.contains("\r\n") ? "\r\n" : "\n"
    if lines.last == "" { lines.removeLast() }
    func joined(_ change: (inout [String]) -> Void) -> String {
      var changed = lines
      change(&changed)
      return changed.joined(separator: end) + end
    }
    var candidates: [String] = []
    if let line = SettingLines(of: text).line(of: ["views", view.name]), lines.indices.contains(line - 1) {
      candidates.append(joined { $0[line - 1] = view.line })
    }
    let isHeader = { (line: String) in line.drop { $0.isWhitespace }.hasPrefix("[") }
    for header in lines.indices where lines[header].filter({ !$0.isWhitespace }).hasPrefix("[views]") {
      let end = lines[(header + 1)...].firstIndex(where: isHeader) ?? lines.endIndex
      let last = lines[header..<end].lastIndex { !$0.allSatisfy(\.isWhitespace) && !$0.hasPrefix("#") } ?? header
      candidates.append(joined { $0.insert(view.line, at: last + 1) })
    }
    return candidates + [joined { $0 += ["", "[views]", view.line] }]
  }
}
