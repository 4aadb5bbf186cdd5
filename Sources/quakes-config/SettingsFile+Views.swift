import Foundation
import StrataQuakes

extension SettingsFile {
  /// Writes a view into the file. Everything else stays as it is, including comments.
  ///
  /// - Throws: `Failure` with status 78; the file is unchanged then.
  public func save(_ view: SavedView) throws(Failure) {
    let former = try exists ? contents() : nil
    var contents = former ?? Contents(Self.sample)
    contents.text = try changed(contents.text, by: view)
    // A symbolic link stays one: its user keeps the file elsewhere, such as in a repository.
    let target = URL(fileURLWithPath: RealPath.of(url.path))
    guard !exists || access(target.filePath, W_OK) == 0 else {
      throw failure("cannot be written: \(Failure.systemError())")
    }
    let temporary = target.deletingLastPathComponent().file(named: ".\(target.lastPathComponent).\(getpid())")
    do {
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try contents.data.write(to: temporary, options: .withoutOverwriting)
    } catch {
      throw failure("cannot be written: \(Failure.systemError(of: error))")
    }
    defer { unlink(temporary.filePath) }
    var status = stat()
    if stat(target.filePath, &status) == 0 { chmod(temporary.filePath, status.st_mode & 0o7777) }
    guard try (exists ? self.contents() : nil) == former else {
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
    let end = text.contains("\r\n") ? "\r\n" : "\n"
    let lines = lines(of: text, end: end)
    func joined(_ change: (inout [String]) -> Void) -> String {
      var changed = lines
      change(&changed)
      return changed.joined()
    }
    var candidates: [String] = []
    if let line = SettingLines(of: text).line(of: ["views", view.name]), lines.indices.contains(line - 1) {
      candidates.append(joined { $0[line - 1] = replaced($0[line - 1], by: view) })
    }
    let isHeader = { (line: String) in line.drop { $0.isWhitespace }.hasPrefix("[") }
    for header in lines.indices where lines[header].filter({ !$0.isWhitespace }).hasPrefix("[views]") {
      let next = lines[(header + 1)...].firstIndex(where: isHeader) ?? lines.endIndex
      let last = lines[header..<next].lastIndex { !$0.allSatisfy(\.isWhitespace) && !$0.hasPrefix("#") } ?? header
      candidates.append(joined { $0.insert(view.line + end, at: last + 1) })
    }
    return candidates + [joined { $0 += [end, "[views]" + end, view.line + end] }]
  }

  /// The lines of a text with their ends, which may differ.
  ///
  /// - Parameter end: for the last line, which may lack its own.
  private static func lines(of text: String, end: String) -> [String] {
    var lines: [String] = []
    var rest = text[...]
    while !rest.isEmpty {
      let line = rest.prefix { !SettingLines.isEnd($0) }
      rest = rest[line.endIndex...]
      lines.append(line + (rest.popFirst().map(String.init) ?? end))
    }
    return lines
  }

  /// The view's line with the indentation, the comment and the end of its former line.
  private static func replaced(_ former: String, by view: SavedView) -> String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    let (line, end) = (former.prefix { !SettingLines.isEnd($0) }, former.drop { !SettingLines.isEnd($0) })
    return line.prefix(while: isBlank) + view.line + comment(in: String(line)) + end
  }

  /// The comment at the end of a line, with the blanks before it; empty without one, or if the line is only a part of a value.
  private static func comment(in line: String) -> Substring {
    guard let document = try? SettingNode.tables(of: line) else { return "" }
    // Within a string, a number sign leaves the string open before it.
    let start = line.indices.first { index in
      line[index] == "#" && (try? SettingNode.tables(of: String(line[..<index]))) == document
    }
    guard var start else { return "" }
    while start > line.startIndex, line[line.index(before: start)].isWhitespace { start = line.index(before: start) }
    return line[start...]
  }
}
