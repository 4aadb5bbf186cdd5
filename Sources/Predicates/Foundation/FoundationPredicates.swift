import Foundation

/// Repairs Foundation's compound predicates on Linux: they print FALSEPREDICATE and their address, equal every other
/// compound and the constant false, and copy to a predicate that never holds.
///
/// Programs create them with Foundation's own initialisers. Overloads or a class of our own with the same names would
/// be ambiguous wherever Foundation is imported too. So methods are exchanged at run time, as
/// `method_exchangeImplementations` does on Apple's systems.
enum FoundationPredicates {
  /// Exchanges the methods on first use, by everything that creates predicates from formats or expressions.
  static let patched: Void = {
    exchange(of: NSCompoundPredicate.self, plain: PlainCompound.self, with: PatchedCompound.self)
    exchange(of: NSPredicate.self, plain: PlainPredicate.self, with: MendedPredicate.self)
  }()

  /// Copies the methods that `patched` overrides into a class. A no-op if the class's memory layout is not the known
  /// one; its predicates then behave as Foundation implements them.
  ///
  /// Class metadata is a header followed by one pointer per method, with inherited methods at the superclass's offsets:
  /// see https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeMetadata.rst. An entry where `patched` differs from
  /// the class, but a subclass without overrides does not, is a method to exchange. Each pointer is written atomically,
  /// so concurrent callers get either implementation.
  private static func exchange(of original: AnyClass, plain: AnyClass, with patched: AnyClass) {
    let (methods, unchanged, changed) = (ClassMetadata(original), ClassMetadata(plain), ClassMetadata(patched))
    guard [unchanged, changed].allSatisfy({ $0.superclass == methods.address && $0.size == methods.size }),
      methods.makeWritable()
    else { return }
    for place in stride(from: ClassMetadata.firstMember, to: methods.size, by: ClassMetadata.word)
    where methods[place] != changed[place] && methods[place] == unchanged[place] {
      methods.set(place, at: changed[place])
    }
  }
}

private class PlainCompound: NSCompoundPredicate {}

private class PlainPredicate: NSPredicate {}

/// Must not store anything, nor be used except through Foundation's classes: the instances are theirs.
private final class PatchedCompound: NSCompoundPredicate {
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
  // Immutable, so a copy is the predicate itself.
  override func copy(with zone: NSZone? = nil) -> Any { self }
  override func isEqual(_ object: Any?) -> Bool {
    // Foundation considers a compound equal to the constant false.
    guard let other = NSPredicate.spelledOut(object), !(other is NSCompoundPredicate) else { return false }
    return super.isEqual(other)
  }
  override var hash: Int { (try? tree)?.hashValue ?? ObjectIdentifier(self).hashValue }
}

extension NSPredicate {
  /// A predicate; for one from `#Predicate`, its equivalent format predicate, as on Apple's systems.
  static func spelledOut(_ object: Any?) -> NSPredicate? {
    if let predicate = object as? SwiftPredicate { return predicate.spelledOut }
    return object as? NSPredicate
  }

  /// Apple's `predicateFormat`.
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
  /// The text as part of a compound: Apple puts every compound in brackets there, also NOT and one with a single part.
  fileprivate var operandText: String {
    guard let compound = self as? NSCompoundPredicate, !compound.subpredicates.isEmpty else { return formatText }
    return "(\(formatText))"
  }
}
