import Foundation

/// An error that prints each of its sentences once.
///
/// Foundation on Linux prints the reason of an error and then its user info, which has the reason again and the description,
/// mostly the same sentence. `CocoaError` prints itself as the `NSError` that it was made of, so it is made of this one.
private final class PrintedError: NSError, @unchecked Sendable {
  // Sendable, as its superclass is: it adds nothing.

  override var description: String {
    let sentence = sentence
    let details = userInfo.filter { !isSaid($0.value, for: $0.key, in: sentence) }.sorted { $0.key < $1.key }
    let list = details.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
    return "Error Domain=\(domain) Code=\(code) \"\(sentence)\"" + (list.isEmpty ? "" : " UserInfo={\(list)}")
  }

  /// The description and the reason, unless one contains the other.
  private var sentence: String {
    let text = localizedDescription
    guard let reason = localizedFailureReason, !text.contains(reason) else { return text }
    return reason.contains(text) ? reason : "\(text) \(reason)"
  }

  private static let keysOfSentences = [
    NSLocalizedDescriptionKey, NSLocalizedFailureReasonErrorKey, "NSUnderlyingException", "reason",
  ]

  /// Whether the sentence says a detail already: a text, or errors.
  private func isSaid(_ value: Any, for key: String, in sentence: String) -> Bool {
    if Self.keysOfSentences.contains(key), let text = value as? String { return sentence.contains(text) }
    let list = (value as? NSArray).map(Array.init) ?? value as? [Any] ?? [value]
    return !list.isEmpty
      && list.allSatisfy { element in
        guard let error = (element as? any Error).map({ $0 as NSError }) else { return false }
        return sentence.contains(error.localizedFailureReason ?? error.localizedDescription)
      }
  }
}

extension CocoaError {
  /// Creates an error that prints each of its sentences once.
  /// - Parameter userInfo: with a description.
  package static func printed(_ code: Code, userInfo: [String: Any]) -> CocoaError {
    // Foundation adds this to the user info of an error that is made of an `NSError`, which would then print itself as that.
    let info = userInfo.filter { $0.key != "_NSError" }
    return CocoaError(_nsError: PrintedError(domain: NSCocoaErrorDomain, code: code.rawValue, userInfo: info))
  }
}
