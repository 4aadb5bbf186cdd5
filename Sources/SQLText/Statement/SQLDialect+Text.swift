/// Names, placeholders and literals in a dialect.
extension SQLDialect {
  /// A name as spelled in statements. One that is too long for the engine is cut and ends with a hash.
  package func name(_ name: String) -> String {
    identifier(name.shortened(to: maximumNameLength))
  }

  /// The same, with a number at its end if the name is taken.
  package func uniqueName(_ name: String, among usedNames: inout Set<String>) -> String {
    var (candidate, counter) = (self.name(name), 0)
    while !usedNames.insert(candidate).inserted {
      counter += 1
      candidate = self.name("\(name)\(counter)")
    }
    return candidate
  }

  /// A text as the engine takes it, with its placeholders numbered if need be: while a statement is written, each is a
  /// `?`.
  package func finished(_ text: String) -> String {
    hasPositionalPlaceholders ? text : replacingPlaceholders(in: text, with: placeholder)
  }

  /// A statement as the engine takes it.
  package func finished(_ statement: SQLStatement) -> SQLStatement {
    hasPositionalPlaceholders ? statement : SQLStatement(finished(statement.text), statement.bindings)
  }

  /// A statement with literals instead of placeholders, for declarations.
  package func inlined(_ statement: SQLStatement) -> String {
    replacingPlaceholders(in: statement.text) { literal(statement.bindings[$0 - 1]) }
  }

  /// Replaces each `?` outside quotes.
  /// - Parameter replacement: what replaces the placeholder with a number, from 1.
  private func replacingPlaceholders(in text: String, with replacement: (Int) -> String) -> String {
    var written = ""
    var (number, quote) = (0, nil as Unicode.Scalar?)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "?" where quote == nil:
        number += 1
        written += replacement(number)
        continue
      case "'", "\"":
        if quote == nil { quote = scalar } else if quote == scalar { quote = nil }
      default: break
      }
      written.unicodeScalars.append(scalar)
    }
    return written
  }
}

extension String {
  /// The text itself, or as much of it as fits before a hash of the whole.
  /// - Parameter limit: the most UTF-8 bytes.
  package func shortened(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    // FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/
    let digest = utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    var short = self
    while short.utf8.count > limit - 9 { short.removeLast() }
    return "\(short)_\(String(digest, radix: 16))"
  }

  /// The text in quotes, with those in it doubled: also one that another scalar combines with. To Swift that is another
  /// character, but the engine reads scalars.
  package func quoted(by quote: Unicode.Scalar) -> String {
    var quoted = String(quote)
    for scalar in unicodeScalars {
      if scalar == quote { quoted.unicodeScalars.append(quote) }
      quoted.unicodeScalars.append(scalar)
    }
    quoted.unicodeScalars.append(quote)
    return quoted
  }

  /// A name as it was before it was put in quotes; itself if it is not in quotes.
  package var unquoted: String {
    guard utf8.count > 1, utf8.first == UInt8(ascii: "\""), utf8.last == UInt8(ascii: "\"") else { return self }
    return String(unicodeScalars.dropFirst().dropLast().replacing("\"\"".unicodeScalars, with: "\"".unicodeScalars))
  }

  /// The name itself if it is free, otherwise the first free one with a number at its end.
  func numbered(_ isFree: (String) -> Bool) -> String {
    var (candidate, counter) = (self, 0)
    while !isFree(candidate) {
      counter += 1
      candidate = "\(self)\(counter)"
    }
    return candidate
  }
}
