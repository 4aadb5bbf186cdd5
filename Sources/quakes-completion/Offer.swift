import ArgumentParser
import StrataQuakes

/// A word that a shell may complete to.
struct Offer {
  var word: String
  /// The description that some shells show next to it.
  var meaning: String

  /// Names of columns, each behind those that are typed already.
  static func columns(startingWith prefix: String) -> [Offer] {
    let typed = prefix.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let (former, last) = (typed.dropLast(), typed.last ?? "")
    return QuakeColumn.all.map(\.name).filter { $0.hasPrefix(last) && !former.contains($0) }
      .map { Offer(word: (former + [$0]).joined(separator: ","), meaning: "column") }
  }

  /// It in the shell's own form.
  ///
  /// - Returns: nil if a shell could read more in it than a word: bash expands what it is offered.
  var text: String? {
    guard Self.isPlain(word) else { return nil }
    let meaning = Terminal.printable(meaning)
    return switch CompletionShell.requesting {
    case .zsh: "\(word):\(meaning)"
    case .fish: "\(word)\t\(meaning)"
    default: word
    }
  }

  /// Letters, digits and what joins them. The shells quote the blanks in what they insert.
  private static func isPlain(_ word: String) -> Bool {
    let isAllowed = word.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
        || "_.,- ".unicodeScalars.contains(scalar)
    }
    guard isAllowed, let first = word.first, let last = word.last else { return false }
    return first != "-" && first != " " && last != " "
  }
}
