import Foundation
import ManagedModel
import RowStore

/// Names an object: in its context alone while it is temporary, everywhere and for ever once it is permanent.
///
/// Ids are values: two of them are equal if they name the same row of the same store, whichever coordinator they came
/// from. See https://developer.apple.com/documentation/coredata/nsmanagedobjectid
public final class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
  // Sendable: nothing changes after it was made.

  /// The entity of the object itself, not of an ancestor.
  public var entity: NSEntityDescription { origin.entity }
  package let rowID: RowID
  package var storeIdentity: StoreIdentity? { origin.store }

  /// What the ids of one entity in one store have in common, so that each of many holds one reference and not two.
  final class Origin: Sendable {
    let entity: NSEntityDescription
    let store: StoreIdentity?

    init(_ entity: NSEntityDescription, _ store: StoreIdentity?) {
      self.entity = entity
      self.store = store
    }
  }

  private let origin: Origin

  package convenience init(rowID: RowID, entity: NSEntityDescription, store: StoreIdentity?) {
    self.init(rowID, of: Origin(entity, store))
  }

  init(_ rowID: RowID, of origin: Origin) {
    self.rowID = rowID
    self.origin = origin
  }

  /// Whether the object has not been saved yet.
  public var isTemporaryID: Bool { rowID.isTemporary }

  /// `x-coredata://<store's UUID>/<entity>/p<key>`; of a temporary id `x-coredata:///<entity>/t<process><number>`.
  public func uriRepresentation() -> URL {
    let name = entity.name ?? ""
    let text =
      isTemporaryID
      ? "x-coredata:///\(name)/t\(Self.process)\(-rowID.key)"
      : "x-coredata://\(storeIdentity?.uuid ?? "")/\(name)/p\(rowName)"
    guard let url = URL(string: text) else { fatalError("The entity name '\(name)' does not fit into a URI.") }
    return url
  }

  private var rowName: String {
    guard let names = storeIdentity?.names else { return String(rowID.key) }
    return names.name(of: rowID).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? String(rowID.key)
  }

  /// Temporary ids of different processes differ.
  private static let process = UUID().uuidString

  /// The key of a temporary id in the last part of its URI; nil in other processes than the one that gave it.
  static func temporaryKey(in text: String) -> Int64? {
    guard text.hasPrefix("t\(process)"), let number = Int64(text.dropFirst(1 + process.count)), number > 0,
      number <= RowID.largestKey
    else { return nil }
    return -number
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectID else { return false }
    if self === other { return true }
    guard rowID.key == other.rowID.key else { return false }
    if rowID.isTemporary { return true }
    return entity.name == other.entity.name && storeIdentity?.uuid == other.storeIdentity?.uuid
  }

  // A set or dictionary mixes the bits itself.
  public override var hash: Int { Int(truncatingIfNeeded: rowID.key) }

  public override var description: String { uriRepresentation().absoluteString }

  public func copy(with zone: NSZone? = nil) -> Any { self }
}
