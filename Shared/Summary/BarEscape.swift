/// Escapes text for the languages of status bars; those with Pango markup take `XMLText`. The text must be printable already.
public enum BarEscape {
  /// Polybar has no escape for the `%{` that begins a tag: a space takes its meaning.
  public static func polybar(_ text: String) -> String {
    text.replacingScalars("%{", with: "% {")
  }

  /// `%%` is a literal percent sign.
  public static func lemonbar(_ text: String) -> String {
    text.replacingScalars("%", with: "%%")
  }

  /// xmobar shows the given number of characters of a `raw` tag as they are.
  public static func xmobar(_ text: String) -> String {
    text.utf8.contains(UInt8(ascii: "<")) ? "<raw=\(text.unicodeScalars.count):\(text)/>" : text
  }

  /// Every expansion and style begins with a number sign. tmux halves them twice, once when it expands the output of a
  /// command and once when it draws; those before a bracket, which might begin a style, only when it draws. What follows
  /// the text must be a style.
  public static func tmux(_ text: String) -> String {
    var (result, signs) = ("", 0)
    func finish(isBeforeBracket: Bool) {
      result += String(repeating: "#", count: signs * (isBeforeBracket ? 2 : 4))
      signs = 0
    }
    for scalar in text.unicodeScalars {
      if scalar == "#" {
        signs += 1
      } else {
        finish(isBeforeBracket: scalar == "[")
        result.unicodeScalars.append(scalar)
      }
    }
    finish(isBeforeBracket: true)
    return result
  }

  /// The status2d patch of dwm interprets text between circumflexes, and has no escape.
  public static func dwm(_ text: String) -> String {
    text.replacingScalars("^", with: "ˆ")
  }

  /// SwiftBar and xbar: a bar begins the parameters, and a line that begins with two hyphens is a separator or of a submenu.
  /// Three tildes, wherever they stand, part lines that follow each other. None of these has an escape.
  public static func swiftBar(_ text: String) -> String {
    let text = text.replacingScalars("|", with: "¦").replacingScalars("~~~", with: "∼∼∼")
    return text.utf8.starts(with: "--".utf8) ? "‐" + String(text.unicodeScalars.dropFirst()) : text
  }
}
