/// What was pressed on a keyboard, or pasted.
public enum Key: Hashable, Sendable {
  case character(Character)
  /// A letter, in lower case, with Control.
  case control(Character)
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, escape, tab, backTab, backspace, delete
  /// The pasted text, which may have line breaks.
  case paste(String)
}
