import Foundation
import StrataManagedModel
import StrataRowStore

/// Identifies an object: within its context while the ID is temporary, and everywhere once it is permanent.
///
/// Two IDs are equal if they identify the same row of the same store, whichever coordinator they came from. Any thread
/// may use an ID.
///
/// See <https://developer.apple.com/documentation/coredata/nsmanagedobjectid>
public final class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
  // Sendable: immutable.

  /// The number of the origin, which the ID retains, and the key in the low 44 bits. One word: a second would make an
  /// ID half as large again, and there are lists of a million.
  private let bits: UInt64

  private var origin: IDOrigin { IDOrigin.numbered(bits >> 44) }

  /// The entity of the object itself, not of an ancestor.
  public var entity: NSEntityDescription { origin.entity }
  package var rowID: RowID { RowID(bits: origin.common | bits & IDOrigin.keyBits) }
  package var storeIdentity: StoreIdentity? { origin.store }
  private var key: Int64 { RowID(bits: bits).key }

  /// Creates an ID that identifies nothing and equals no other.
  public override convenience init() {
    self.init(rowID: .temporary(entity: 0), entity: Self.nobody, store: nil)
  }

  /// The entity of IDs that identify nothing.
  private static let nobody = NSEntityDescription()

  package convenience init(rowID: RowID, entity: NSEntityDescription, store: StoreIdentity?) {
    self.init(rowID, holding: .passRetained(IDOrigin.origin(of: rowID, entity: entity, store: store)))
  }

  /// - Parameter origin: retained by the caller, once for many IDs.
  init(_ rowID: RowID, holding origin: Unmanaged<IDOrigin>) {
    bits = origin._withUnsafeGuaranteedRef { $0.number } << 44 | rowID.bits & IDOrigin.keyBits
  }

  deinit { IDOrigin.release(bits >> 44) }

  /// Whether the object has not been saved yet.
  public var isTemporaryID: Bool { key < 0 }

  /// Returns the ID as a URI: `x-coredata://<store UUID>/<entity>/p<key>`, or
  /// `x-coredata:///<entity>/t<process><number>` for a temporary ID.
  ///
  /// ```swift
  /// try context.save()  // A temporary ID means nothing in another process.
  /// let text = quake.objectID.uriRepresentation().absoluteString
  /// print(text)  // x-coredata://<store UUID>/Quake/p17
  /// ```
  public func uriRepresentation() -> URL {
    let name = entity.name ?? ""
    let text =
      isTemporaryID
      ? "x-coredata:///\(name)/t\(Self.process)\(-key)"
      : "x-coredata://\(storeIdentity?.uuid ?? "")/\(name)/p\(rowName)"
    guard let url = URL(string: text) else { fatalError("The entity name '\(name)' does not fit into a URI.") }
    return url
  }

  private var rowName: String {
    guard let names = storeIdentity?.names else { return String(rowID.key) }
    return names.name(of: rowID).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? String(rowID.key)
  }

  /// Distinguishes the temporary IDs of different processes.
  private static let process = UUID().uuidString

  /// Returns the key in the last part of a temporary ID's URI; nil in processes other than the one that created it.
  static func temporaryKey(in text: String) -> Int64? {
    guard text.hasPrefix("t\(process)"), let number = Int64(text.dropFirst(1 + process.count)), number > 0,
      number <= RowID.maximumKey
    else { return nil }
    return -number
  }

  /// Returns whether another ID identifies the same object.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectID else { return false }
    if bits == other.bits { return true }
    guard key == other.key else { return false }
    if isTemporaryID { return true }
    return entity.name == other.entity.name && storeIdentity?.uuid == other.storeIdentity?.uuid
  }

  // Sets and dictionaries mix the bits themselves. The keys of all entities begin at 1.
  /// A hash of the entity's name and the key.
  public override var hash: Int { Int(truncatingIfNeeded: key) ^ (isTemporaryID ? 0 : origin.hash) }

  /// The URI representation as a string.
  public override var description: String { uriRepresentation().absoluteString }

  /// Returns the ID itself, which is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}
