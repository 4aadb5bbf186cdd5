import Foundation
import Synchronization

/// The sort descriptor of a Swift key path. For fetches, and for managed objects in memory, it sorts by the property
/// that the key path reads, so that nil sorts first even if the property is declared as a plain number. The name is
/// resolved lazily: descriptors may be created before a model is in use. Other objects are read through the key path
/// itself.
package final class KeyPathSortDescriptor: NSSortDescriptor {
  package let source: AnyKeyPath
  package let comparison: SortComparison
  private let names = Mutex<[String]?>(nil)

  package init(_ source: AnyKeyPath, ascending: Bool, comparison: SortComparison = .binary) {
    self.source = source
    self.comparison = comparison
    // Foundation requires a key path of a statically known type; `source` replaces it.
    super.init(keyPath: \String.self, ascending: ascending)
  }

  override package func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    let order = PredicateValue.order(value(of: object1), value(of: object2), by: comparison)
    return ascending ? order : PredicateValue.reversed(order)
  }

  override package var keyPath: AnyKeyPath { source }

  /// Compares two values at the key path, in ascending order.
  override package var comparator: Comparator { comparison.comparator }

  private func value(of object: Any) -> PredicateValue {
    do throws(PredicateEvaluationError) {
      if object is any PropertyPathRoot, let path = knownNames {
        return try PredicateResult(plain: object).sortValue(at: path)
      }
      // A nil value is an optional in the result; no result means that the key path is not of the object's type.
      if let found = object[keyPath: source] { return try PredicateResult(plain: found).sortValue(at: []) }
    } catch {
      fatalError("Unable to sort by \(source): \(error)")
    }
    fatalError("Unable to sort by \(source): \(type(of: object)) is not a \(type(of: source).rootType).")
  }

  /// The property, once resolved.
  private var knownNames: [String]? {
    names.withLock { names in
      if names == nil { names = (try? source.propertyPath)?.names }
      return names
    }
  }

  /// The property's name; nil if the key path names none.
  package var name: String? { knownNames?.joined(separator: ".") }

  /// The sort key for a fetch.
  var fetchableProperty: FetchableSort {
    get throws(UnsupportedSortError) {
      do throws(UnreadableKeyPathError) {
        return FetchableSort(try source.propertyPath.names, ascending: ascending, comparison: comparison)
      } catch {
        throw UnsupportedSortError(description: "unsupported NSSortDescriptor: \(error)")
      }
    }
  }

  override package var reversedSortDescriptor: Any {
    KeyPathSortDescriptor(source, ascending: !ascending, comparison: comparison)
  }

  override package var classForCoder: AnyClass { NSSortDescriptor.self }

  override package func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KeyPathSortDescriptor else { return false }
    return other.source == source && other.ascending == ascending && other.comparison == comparison
  }

  override package var hash: Int {
    var hasher = Hasher()
    hasher.combine(source)
    hasher.combine(ascending)
    hasher.combine(comparison)
    return hasher.finalize()
  }

  override package var description: String {
    "(\(key ?? "\(source)"), \(ascending ? "ascending" : "descending"), \(comparison.selector))"
  }
}

extension NSSortDescriptor {
  /// Creates a descriptor that sorts by the values at a Swift key path of any type, including optional ones: nil first,
  /// `false` before `true`, strings by their UTF-8 bytes, objects by their identity.
  ///
  /// A fetch sorts by the property behind the key path, which must be one of the model's (`\Quake.region?.name` too).
  /// It throws `CocoaError` 134091 for a computed property.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Quake>(entityName: "Quake")
  /// request.sortDescriptors = [
  ///   NSSortDescriptor(keyPath: \Quake.region?.name, ascending: true)
  /// ]
  /// ```
  public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
    self.init(replacedBy: KeyPathSortDescriptor(keyPath, ascending: ascending))
  }

  /// Creates a descriptor that sorts by the values at a Swift key path.
  ///
  /// It takes precedence over Foundation's own initializer, whose descriptors a fetch cannot use.
  public convenience init<Root: NSObject, Value: Comparable>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
    self.init(replacedBy: KeyPathSortDescriptor(keyPath, ascending: ascending))
  }

  /// Creates a descriptor from a Swift sort descriptor.
  ///
  /// Its strings are compared with `.lexical`, the only comparison that Foundation has on Linux. For
  /// `localizedStandardCompare:`, use `init(key:ascending:selector:)`. See
  /// <https://developer.apple.com/documentation/foundation/nssortdescriptor>
  public convenience init<Compared: NSObject>(_ sortDescriptor: SortDescriptor<Compared>) {
    guard let keyPath = sortDescriptor.keyPath else {
      fatalError(
        "The SortDescriptor \(sortDescriptor) has no key path, so it cannot be converted to an NSSortDescriptor.")
    }
    let isAscending = sortDescriptor.order == .forward
    if let order = DescribedOrder.order(of: keyPath) {
      self.init(replacedBy: (isAscending ? order.ascending : order.ascending.reversedSortDescriptor) as AnyObject)
    } else {
      self.init(replacedBy: KeyPathSortDescriptor(keyPath, ascending: isAscending))
    }
  }
}
