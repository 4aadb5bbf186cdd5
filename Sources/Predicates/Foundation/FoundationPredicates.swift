import Foundation

/// Foundation for Linux has predicates that answer wrongly about themselves: a compound prints FALSEPREDICATE and its
/// address, equals every other compound and the constant false, and is copied to a predicate that never holds.
///
/// Programs make them by Foundation's own initialisers. Initialisers of ours of the same form, or a class of ours of the
/// same name, would be ambiguous wherever Foundation is imported too. So the methods are exchanged while the program
/// runs, as `method_exchangeImplementations` does it on Apple's systems.
enum FoundationPredicates {
  /// Exchanges the methods when it is first asked for, which whatever makes a predicate of a format or of expressions does.
  static let mended: Void = {
    exchange(NSCompoundPredicate.self, PlainCompound.self, MendedCompound.self)
    exchange(NSPredicate.self, PlainPredicate.self, MendedPredicate.self)
  }()

  /// Puts the methods that `mended` overrides into a class. Does nothing where a class does not lie in memory as is known
  /// here; its predicates are then as Foundation makes them.
  ///
  /// A class is a header and then a pointer a method, those of its superclass at the same places: see
  /// https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeMetadata.rst. A place at which `mended` differs from the
  /// class, but a subclass that overrides nothing does not, is one of a method to exchange. Each pointer is written whole,
  /// so that a thread which calls the method meanwhile gets the one or the other.
  private static func exchange(_ original: AnyClass, _ plain: AnyClass, _ mended: AnyClass) {
    let (methods, unchanged, changed) = (ClassWords(original), ClassWords(plain), ClassWords(mended))
    guard [unchanged, changed].allSatisfy({ $0.superclass == methods.address && $0.size == methods.size }),
      methods.makeWritable()
    else { return }
    for place in stride(from: ClassWords.firstMember, to: methods.size, by: ClassWords.word)
    where methods[place] != changed[place] && methods[place] == unchanged[place] {
      methods.set(place, changed[place])
    }
  }
}

private class PlainCompound: NSCompoundPredicate {}

private class PlainPredicate: NSPredicate {}

/// Nothing here may be stored, nor be reached but through Foundation's classes: the objects are of those.
private final class MendedCompound: NSCompoundPredicate {
  override var predicateFormat: String { formatText }
  override var description: String { formatText }
  override func copy(with zone: NSZone? = nil) -> Any {
    NSCompoundPredicate(type: compoundPredicateType, subpredicates: subpredicates)
  }
  override func isEqual(_ object: Any?) -> Bool { isSameCompound(as: object) }
  override var hash: Int { compoundHash }
}

private final class MendedPredicate: NSPredicate {
  override var description: String { formatText }
  // A predicate never changes, so a copy is the predicate itself.
  override func copy(with zone: NSZone? = nil) -> Any { self }
  override func isEqual(_ object: Any?) -> Bool {
    // Foundation takes a compound for the constant false.
    guard let other = NSPredicate.spelledOut(object), !(other is NSCompoundPredicate) else { return false }
    return super.isEqual(other)
  }
  override var hash: Int { (try? tree)?.hashValue ?? ObjectIdentifier(self).hashValue }
}

extension NSPredicate {
  /// A predicate; for one that `#Predicate` made, the one that has the words of a format, as Apple's has.
  static func spelledOut(_ object: Any?) -> NSPredicate? {
    if let predicate = object as? SwiftPredicate { return predicate.spelledOut }
    return object as? NSPredicate
  }

  /// What Apple's `predicateFormat` says.
  package var formatText: String {
    switch self {
    case let predicate as any TreePredicate: predicate.node.text(.format)
    case let compound as NSCompoundPredicate: compound.joinedText
    default: (try? tree)?.text(.format) ?? "BLOCKPREDICATE"
    }
  }
}

extension NSCompoundPredicate {
  fileprivate var joinedText: String {
    switch compoundPredicateType {
    case .not: "NOT " + (subpredicates.first?.operandText ?? "")
    case .and: subpredicates.isEmpty ? "TRUEPREDICATE" : joined(by: " AND ")
    case .or: subpredicates.isEmpty ? "FALSEPREDICATE" : joined(by: " OR ")
    }
  }

  private func joined(by word: String) -> String {
    subpredicates.count == 1 ? subpredicates[0].formatText : subpredicates.map(\.operandText).joined(separator: word)
  }

  /// Whether an object is a compound of equal predicates.
  func isSameCompound(as object: Any?) -> Bool {
    guard let other = NSPredicate.spelledOut(object) as? NSCompoundPredicate else { return false }
    return self === other
      || compoundPredicateType == other.compoundPredicateType && subpredicates == other.subpredicates
  }

  var compoundHash: Int {
    var hasher = Hasher()
    hasher.combine(compoundPredicateType)
    hasher.combine(subpredicates)
    return hasher.finalize()
  }
}

extension NSPredicate {
  /// The text as part of a compound: Apple puts every compound in brackets there, also NOT and one of a single part.
  fileprivate var operandText: String {
    guard let compound = self as? NSCompoundPredicate, !compound.subpredicates.isEmpty else { return formatText }
    return "(\(formatText))"
  }
}
