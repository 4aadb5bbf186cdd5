import Foundation

extension URL {
  /// A store's place as shown in messages: the path of a file, or else the URL without its password.
  var shown: String {
    if isFileURL { return path }
    guard password != nil, var parts = URLComponents(url: self, resolvingAgainstBaseURL: false) else {
      return absoluteString
    }
    parts.password = nil
    return parts.string ?? ""
  }
}
