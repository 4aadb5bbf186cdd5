import Foundation

/// Archiving of predicates, which Foundation on Linux lacks: they encode their text, and a compound without one its parts.
extension NSPredicate: @retroactive NSSecureCoding {
  /// True: predicates support secure coding.
  public static var supportsSecureCoding: Bool { true }

  /// Archives the predicate. One made of a block, or with an object in it, stops the program.
  public func encode(with coder: NSCoder) {
    // Foundation considers every compound equal to the others, so an archive would contain one of several, perhaps in itself.
    if let tree = try? tree, (try? PredicateParser.tree(tree.description)) == tree {
      coder.encode(NSString(string: tree.description), forKey: CodingKey.text)
    } else if let compound = Self.spelledOut(self) as? NSCompoundPredicate {
      coder.encode(Int64(compound.compoundPredicateType.rawValue), forKey: CodingKey.type)
      coder.encode(NSArray(array: compound.subpredicates), forKey: CodingKey.parts)
    } else {
      coder.failWithError(
        CocoaError(
          .coderInvalidValue,
          userInfo: [NSLocalizedDescriptionKey: "The predicate \(self) has no text, so no archive can hold it."]))
    }
  }

  /// Decodes a predicate; nil if the archive has no predicate.
  fileprivate static func read(from coder: NSCoder) -> NSPredicate? {
    // Decoding an absent key would fail the whole archive.
    if coder.containsValue(forKey: CodingKey.text) {
      let text = coder.decodeObject(of: NSString.self, forKey: CodingKey.text).map { $0 as String } ?? ""
      return (try? PredicateParser.tree(text)).map { NSPredicate.predicate(with: $0) }
    }
    // A damaged archive may contain a compound that is a part of itself.
    let levels = Thread.current.threadDictionary
    let level = levels[CodingKey.level] as? Int ?? 0
    guard level < maximumLevels else { return nil }
    levels[CodingKey.level] = level + 1
    defer { levels[CodingKey.level] = level == 0 ? nil : level }
    let parts = coder.decodeObject(of: [NSArray.self, NSPredicate.self], forKey: CodingKey.parts) as? [NSPredicate]
    let number = UInt(clamping: coder.decodeInt64(forKey: CodingKey.type))
    guard let parts, let type = NSCompoundPredicate.LogicalType(rawValue: number), type != .not || parts.count == 1
    else { return nil }
    return compound(type, of: parts)
  }

  /// Returns a compound that prints, compares and copies correctly, unless a part is made of a block.
  private static func compound(_ type: NSCompoundPredicate.LogicalType, of parts: [NSPredicate]) -> NSPredicate {
    guard !parts.isEmpty, let nodes = try? parts.map({ try $0.tree }) else {
      return NSCompoundPredicate(type: type, subpredicates: parts)
    }
    switch type {
    case .and: return predicate(with: .and(nodes))
    case .or: return predicate(with: .or(nodes))
    case .not: return predicate(with: .not(nodes[0]))
    }
  }

  /// The levels of compounds in compounds, each of which takes 2.3 KB of the stack.
  private static let maximumLevels = 100

  private enum CodingKey {
    static let level = "StrataPredicateCodingLevel"
    static let type = "NSCompoundPredicateType"
    static let parts = "NSSubpredicates"
    static let text = "predicateFormat"
  }
}

// A required initializer can be added to a Foundation class only through a protocol.
extension NSObjectProtocol where Self: NSPredicate {
  /// Creates a predicate from an archive; nil if the archive has no predicate.
  public init?(coder: NSCoder) {
    guard let read = NSPredicate.read(from: coder), read is Self else { return nil }
    self.init(replacedBy: read)
  }
}
