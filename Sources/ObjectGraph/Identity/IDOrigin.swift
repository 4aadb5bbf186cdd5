import Glibc
import StrataManagedModel
import StrataRowStore
import StrataRuntime
import Synchronization

/// The common part of the IDs of one entity in one store. At most one exists per entity and store, as long as one of its IDs
/// lives; IDs refer to it by number.
///
/// Number and key fit into one word, so an ID takes 32 bytes; with a reference in addition to the key it would take 48, since
/// memory is allocated in steps of 16: a list of a million IDs is 16 MB smaller. The price is a limit of 2^20 origins
/// at a time, which takes IDs of a thousand models of a hundred entities each, in ten stores each.
final class IDOrigin: Sendable {
  let entity: NSEntityDescription
  /// Retained because the entity does not retain it.
  private let model: NSManagedObjectModel?
  let store: StoreIdentity?
  /// The bits that the row IDs share.
  let common: UInt64
  let number: UInt64
  /// The same for equal IDs of different models.
  let hash: Int

  /// The bits of a row ID that distinguish it from others of its origin.
  static let keyBits: UInt64 = 0xFFF_FFFF_FFFF
  private static let maximumOrigins = 1 << 20

  private struct State {
    /// By hash of entity, store and bits. Keyed by Int for the reason given in `PageMemory`.
    var numbers: [Int: UInt64] = [:]
    var free: [UInt64] = []
    var end: UInt64 = 0

    mutating func allocateNumber() -> UInt64 {
      if let number = free.popLast() { return number }
      guard end < maximumOrigins else {
        fatalError(
          "Cannot create an object ID: IDs of \(maximumOrigins) pairs of an entity and a store are in use. Release those of "
            + "models and stores that are not used any more.")
      }
      defer { end += 1 }
      return end
    }
  }

  private static let state = Mutex(State())

  /// The origins by number. Unsafe only by its type: an entry is written under the lock, before any ID has its number
  /// and after the last such ID is gone.
  nonisolated(unsafe) private static let entries: UnsafeMutablePointer<Unmanaged<IDOrigin>?> = {
    // calloc does not commit memory until it is touched.
    guard let memory = calloc(maximumOrigins, MemoryLayout<Unmanaged<IDOrigin>?>.stride) else {
      fatalError("Cannot allocate memory for object IDs.")
    }
    return memory.assumingMemoryBound(to: Unmanaged<IDOrigin>?.self)
  }()

  private init(entity: NSEntityDescription, store: StoreIdentity?, common: UInt64, number: UInt64) {
    (self.entity, model) = (entity, entity.model)
    (self.store, self.common, self.number) = (store, common, number)
    hash = entity.name?.hashValue ?? 0
  }

  deinit {
    let hash = Self.hash(common: common, entity: entity, store: store)
    Self.state.withLock { state in
      Self.entries[Int(number)] = nil
      state.free.append(number)
      // Another origin may have taken the entry already.
      if state.numbers[hash] == number { state.numbers[hash] = nil }
    }
  }

  /// Returns the origin of a row's ID.
  static func origin(of id: RowID, entity: NSEntityDescription, store: StoreIdentity?) -> IDOrigin {
    let common = id.bits & ~keyBits
    let hash = hash(common: common, entity: entity, store: store)
    let (origin, stranger): (IDOrigin, IDOrigin?) = state.withLock { state in
      var stranger: IDOrigin?
      if let number = state.numbers[hash], let held = entries[Int(number)], strata_try_retain(held.toOpaque()) != nil {
        let known = held.takeRetainedValue()
        if known.isOrigin(of: id, entity: entity, store: store) { return (known, nil) }
        stranger = known
      }
      let made = IDOrigin(entity: entity, store: store, common: common, number: state.allocateNumber())
      entries[Int(made.number)] = .passUnretained(made)
      state.numbers[hash] = made.number
      return (made, stranger)
    }
    // This may be its last reference, and its deinit takes the lock.
    withExtendedLifetime(stranger) {}
    return origin
  }

  func isOrigin(of id: RowID, entity: NSEntityDescription, store: StoreIdentity?) -> Bool {
    common == id.bits & ~Self.keyBits && self.entity === entity && self.store === store
  }

  private static func hash(common: UInt64, entity: NSEntityDescription, store: StoreIdentity?) -> Int {
    Int(bitPattern: Unmanaged.passUnretained(entity).toOpaque())
      ^ (store.map { Int(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0) << 16
      ^ Int(bitPattern: UInt(common))
  }

  /// Returns the origin with the number that an ID holds.
  @inline(__always)
  static func numbered(_ number: UInt64) -> IDOrigin { held(number)._withUnsafeGuaranteedRef { $0 } }

  /// Releases the reference of an ID.
  @inline(__always)
  static func release(_ number: UInt64) { held(number).release() }

  /// Lives at least as long as the ID.
  @inline(__always)
  private static func held(_ number: UInt64) -> Unmanaged<IDOrigin> { entries[Int(number)].unsafelyUnwrapped }
}
