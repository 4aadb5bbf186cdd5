import Foundation
import StrataFormats
import StrataQuakes

@testable import StrataQuakesSummary

/// Parses a line as its status bar does, byte by byte.
struct BarReader {
  let line: BarLine
  let output: String

  /// Whether the bar shows the line's text unchanged.
  func isRead(as form: SummaryForm, _ isFollowing: Bool) -> Bool {
    switch form {
    case .waybar:
      guard let object = object(output) else { return false }
      return same(pango(object["text"]), line.text) && same(pango(object["tooltip"]), tooltip)
    case .i3blocks where isFollowing: return isBlock(output)
    case .i3blocks:
      let lines = output.components(separatedBy: "\n")
      return lines.count == (line.color == nil ? 2 : 3) && same(lines[0], line.text) && same(lines[1], line.short)
    case .i3bar: return isFollowing ? within("[", "],").map(isBlock) ?? false : isBlock(output)
    case .i3statusRust:
      guard let object = object(output) else { return false }
      return same(pango(object["text"]), line.text) && same(pango(object["short_text"]), line.short)
    case .polybar:
      return tagged("A1").map { !$0.has("%{") && same($0, line.text.replacingScalars("%{", with: "% {")) } ?? false
    case .lemonbar: return same(tagged("A").flatMap(single), line.text)
    case .xmobar: return isShownByXmobar
    case .tmux: return line.text.isEmpty ? output.isEmpty : isShownByTmux
    case .genmon: return isShownByGenmon
    case .swiftbar: return isShownBySwiftBar(isFollowing)
    case .dwmblocks: return !output.has("^") && same(output, line.text.replacingScalars("^", with: "ˆ"))
    case .plain: return same(output, line.text)
    }
  }

  private var tooltip: String { line.tooltip.joined(separator: "\n") }
  private var command: String { "xdg-open '\(line.page ?? "")'" }

  private func object(_ text: String) -> [String: Any]? {
    guard !text.has("\n") else { return nil }
    return try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
  }

  private func isBlock(_ text: String) -> Bool {
    guard let block = object(text) else { return false }
    return same(block["full_text"] as? String, line.text) && same(block["short_text"] as? String, line.short)
      && block["markup"] as? String == "none"
  }

  /// Returns the text of markup, which may be in one element; nil if it is malformed.
  private func pango(_ markup: Any?) -> String? {
    guard let markup = markup as? String, let root = try? XMLReader.root(Array("<x>\(markup)</x>".utf8), file: "")
    else {
      return nil
    }
    return root.children.first.map { root.children.count == 1 && root.text.isEmpty ? $0.text : "" } ?? root.text
  }

  /// Returns the text between a prefix and a suffix of the output.
  private func within(_ start: String, _ end: String) -> String? {
    guard output.utf8.starts(with: start.utf8), output.utf8.reversed().starts(with: end.utf8.reversed()) else {
      return nil
    }
    return String(output.utf8.dropFirst(start.utf8.count).dropLast(end.utf8.count))
  }

  /// Returns the text in the tags of polybar and lemonbar.
  private func tagged(_ action: String) -> String? {
    let color = line.color.flatMap { line.text.isEmpty ? nil : "%{F\($0)}" }
    let click = line.page.map { _ in "%{\(action):\(command.replacing(":", with: "\\:")):}" }
    return within((click ?? "") + (color ?? ""), (color == nil ? "" : "%{F-}") + (click == nil ? "" : "%{A}"))
  }

  /// Returns the text with single percent signs; nil if a sign is not doubled.
  private func single(_ text: String) -> String? {
    let parts = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
    guard parts.count % 2 == 1, parts.indices.allSatisfy({ $0 % 2 == 0 || parts[$0].isEmpty }) else { return nil }
    return parts.indices.filter { $0 % 2 == 0 }.map { String(decoding: parts[$0], as: UTF8.self) }.joined(
      separator: "%")
  }

  private var isShownByXmobar: Bool {
    let color = line.color.flatMap { line.text.isEmpty ? nil : "<fc=\($0)>" }
    let click = line.page.map { _ in "<action=`\(command)`>" }
    let text = within(
      (click ?? "") + (color ?? ""), (color == nil ? "" : "</fc>") + (click == nil ? "" : "</action>"))
    guard let text else { return false }
    guard text.has("<") else { return same(text, line.text) }
    guard text.utf8.starts(with: "<raw=".utf8), let colon = text.unicodeScalars.firstIndex(of: ":"),
      let count = Int(text[text.index(text.startIndex, offsetBy: 5)..<colon])
    else { return false }
    let rest = text.unicodeScalars[text.unicodeScalars.index(after: colon)...]
    return same(String(rest.prefix(count)), line.text) && same(String(rest.dropFirst(count)), "/>")
  }

  /// tmux halves number signs twice, but those before a bracket once.
  private var isShownByTmux: Bool {
    guard let text = within(line.color.map { "#[fg=\($0)]" } ?? "", "#[default]") else { return false }
    var (shown, rest) = ("", Array(text.unicodeScalars)[...])
    while let scalar = rest.first {
      guard scalar == "#" else {
        shown.unicodeScalars.append(rest.removeFirst())
        continue
      }
      let count = rest.prefix { $0 == "#" }.count
      rest = rest.dropFirst(count)
      let times = rest.first ?? "[" == "[" ? 2 : 4
      guard count % times == 0 else { return false }
      shown += String(repeating: "#", count: count / times)
    }
    return same(shown, line.text)
  }

  private var isShownByGenmon: Bool {
    func element(_ name: String) -> String? {
      let parts = output.components(separatedBy: "<\(name)>")
      let ends = output.components(separatedBy: "</\(name)>")
      guard parts.count == 2, ends.count == 2 else { return nil }
      return parts[1].components(separatedBy: "</\(name)>")[0]
    }
    return same(pango(element("txt")), line.text) && same(pango(element("tool")), tooltip)
      && (line.page == nil || same(element("txtclick"), command))
  }

  private func isShownBySwiftBar(_ isFollowing: Bool) -> Bool {
    guard let text = within(isFollowing ? "~~~\n" : "", "") else { return false }
    if line.text.isEmpty { return text.isEmpty }
    let lines = text.components(separatedBy: "\n")
    guard lines.count == line.tooltip.count + 2, lines[1] == "---", !text.has("~~~") else { return false }
    return zip([lines[0]] + lines[2...], [line.text] + line.tooltip).allSatisfy { shown, source in
      let parts = shown.utf8.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
      let title = String(decoding: parts[0], as: UTF8.self)
      let expected = BarEscape.swiftBar(source)
      return parts.count <= 2 && !title.utf8.starts(with: "--".utf8)
        && same(parts.count == 1 ? title : String(title.unicodeScalars.dropLast()), expected)
    }
  }
}

/// Compares bytes, because Swift treats canonically equivalent strings as equal.
private func same(_ shown: String?, _ expected: String) -> Bool {
  shown?.utf8.elementsEqual(expected.utf8) ?? false
}

extension String {
  fileprivate func has(_ mark: String) -> Bool { !unicodeScalars.ranges(of: mark.unicodeScalars).isEmpty }
}
