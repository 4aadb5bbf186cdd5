/// A key press or a paste.
public enum Key: Hashable, Sendable {
  case character(Character)
  /// A letter, in lower case, with Control.
  case control(Character)
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, escape, tab, backTab, backspace, delete
  /// The pasted text, which may have line breaks.
  case paste(String)
}
