import Foundation

extension URL {
  /// A store's location as shown in messages: the path of a file, or else the URL without its passwords.
  package var shown: String { isFileURL ? path : shownURL }

  /// The URL as shown in messages: without its passwords, which may be parameters too.
  package var shownURL: String {
    guard !isFileURL, var parts = URLComponents(url: self, resolvingAgainstBaseURL: false) else {
      return absoluteString
    }
    let hidden = ["password", "sslpassword"]
    guard parts.password != nil || parts.queryItems?.contains(where: { hidden.contains($0.name) }) == true else {
      return absoluteString
    }
    parts.password = nil
    let shown = (parts.queryItems ?? []).filter { !hidden.contains($0.name) }
    parts.queryItems = shown.isEmpty ? nil : shown
    return parts.string ?? "\(scheme ?? ""):"
  }
}
