import Foundation
import Synchronization

extension SortDescriptor where Compared: NSObject {
  /// Creates a Swift sort descriptor from a Foundation one; nil for one without a key, and for one that compares with a
  /// closure or an unsupported method.
  /// See <https://developer.apple.com/documentation/foundation/sortdescriptor/init(_:comparing:)>
  public init?(_ descriptor: NSSortDescriptor, comparing comparedType: Compared.Type) {
    guard descriptor.key != nil, (try? descriptor.fetchable) != nil,
      let ascending = descriptor.ascending ? descriptor : descriptor.reversedSortDescriptor as? NSSortDescriptor
    else { return nil }
    let order = DescribedOrder(ascending: ascending)
    let keyPath = \Compared.[describedOrder: order]
    order.remember(as: keyPath)
    self.init(keyPath, order: descriptor.ascending ? .forward : .reverse)
  }
}

/// The order of a Foundation descriptor, embedded in a key path, because Swift's descriptors sort by one.
struct DescribedOrder: Hashable, @unchecked Sendable {
  // @unchecked: descriptors are immutable.
  let ascending: NSSortDescriptor

  /// A key path from any class.
  private struct Known: Hashable, @unchecked Sendable {
    // @unchecked: key paths are immutable.
    let keyPath: AnyKeyPath
  }

  private static let memory = Mutex<[Known: DescribedOrder]>([:])

  func remember(as keyPath: AnyKeyPath) { Self.memory.withLock { $0[Known(keyPath: keyPath)] = self } }

  /// The order that a key path was created from.
  static func order(of keyPath: AnyKeyPath) -> DescribedOrder? { memory.withLock { $0[Known(keyPath: keyPath)] } }
}

/// An object's rank in a described order.
struct DescribedRank: Comparable {
  let object: NSObject
  let order: DescribedOrder

  static func < (left: DescribedRank, right: DescribedRank) -> Bool {
    left.order.ascending.compare(left.object, to: right.object) == .orderedAscending
  }

  static func == (left: DescribedRank, right: DescribedRank) -> Bool {
    left.order.ascending.compare(left.object, to: right.object) == .orderedSame
  }
}

extension NSObject {
  fileprivate subscript(describedOrder order: DescribedOrder) -> DescribedRank {
    DescribedRank(object: self, order: order)
  }
}
