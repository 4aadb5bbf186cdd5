extension Mangler {
  /// The maximum number of remembered words: each is written as one letter.
  private static let wordLimit = 26

  private struct Replacement {
    var offset: Int
    var word: Int?
  }

  /// Appends a name with its length, writing words that occurred before as letters.
  mutating func spell(_ identifier: String) {
    let name = Array(identifier.utf8)
    if name.contains(where: { !Self.isPlain($0) }) { return spellEncoded(identifier) }
    let known = words.count
    let replacements = findWords(in: name)
    if replacements.count > 1 { append("0") }
    write(name, replacements: replacements, newWords: known)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
      true
    default: false
    }
  }

  private mutating func spellEncoded(_ identifier: String) {
    // A name that is valid only in backticks is mangled with them, and its spaces as non-breaking ones.
    let needsBackticks = identifier.utf8.contains { $0 < 128 && !Self.isPlain($0) }
    let name = needsBackticks ? "`\(String(identifier.map { $0 == " " ? "\u{A0}" : $0 }))`" : identifier
    let encoded = Punycode.encode(name)
    append("00\(encoded.utf8.count)")
    if let first = encoded.utf8.first, first == UInt8(ascii: "_") || Self.isDigit(first) { append("_") }
    append(encoded)
  }

  // MARK: Words

  private static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// The positions of known words, and the end of the name. New words are recorded by their position in the name for
  /// now.
  private mutating func findWords(in name: [UInt8]) -> [Replacement] {
    var found: [Replacement] = []
    let known = words.count
    var start: Int?
    for offset in 0...name.count {
      let byte = offset < name.count ? name[offset] : 0
      let ends =
        byte == UInt8(ascii: "_") || byte == 0 || (offset > 0 && !Self.isUpper(name[offset - 1]) && Self.isUpper(byte))
      if let first = start, ends {
        let word = name[first..<offset]
        let before = words[..<known].firstIndex { bytes[$0].elementsEqual(word) }
        if let index = before ?? words[known...].firstIndex(where: { name[$0].elementsEqual(word) }) {
          found.append(Replacement(offset: first, word: index))
        } else if word.count >= 2, words.count < Self.wordLimit {
          words.append(first..<offset)
        }
        start = nil
      }
      if start == nil, byte != 0, byte != UInt8(ascii: "_"), !Self.isDigit(byte) { start = offset }
    }
    return found + [Replacement(offset: name.count)]
  }

  private mutating func write(_ name: [UInt8], replacements: [Replacement], newWords: Int) {
    var next = newWords
    var offset = 0
    for (index, replacement) in replacements.enumerated() {
      if offset < replacement.offset {
        append("\(replacement.offset - offset)")
        while offset < replacement.offset {
          if next < words.count, words[next].lowerBound == offset {
            words[next] = bytes.count..<bytes.count + words[next].count
            next += 1
          }
          bytes.append(name[offset])
          offset += 1
        }
      }
      guard let word = replacement.word else { continue }
      offset += words[word].count
      let isLast = index == replacements.count - 2
      bytes.append((isLast ? UInt8(ascii: "A") : UInt8(ascii: "a")) + UInt8(word))
      if isLast, offset == name.count { append("0") }
    }
  }
}
