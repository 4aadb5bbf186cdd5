/// Text in XML, and in markup that has its escapes.
public enum XMLText {
  /// The text with entities for the characters that XML does not permit in a text, or in an attribute in double quotes. It
  /// must be printable already: XML has no escape for control characters.
  public static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
