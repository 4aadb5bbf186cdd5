import StrataCSwiftRuntime
import Glibc
import StrataManagedModel
import StrataRowStore
import Synchronization

/// What the ids of one entity in one store have in common. There is one in the process as long as one of its ids lives, and
/// they name it by a number.
///
/// A number and a key fit into one word, so that an id takes 32 bytes; with a reference beside the key it took 48, as
/// memory comes in steps of 16: a list of a million ids is 16 MB smaller. The price is the bound of 2^20 origins at a time,
/// which a program would pass with ids of a thousand models of a hundred entities each, in ten stores each.
final class IDOrigin: Sendable {
  let entity: NSEntityDescription
  /// Held because the entity does not hold it.
  private let model: NSManagedObjectModel?
  let store: StoreIdentity?
  /// The bits that the row ids have in common.
  let common: UInt64
  let number: UInt64

  /// The bits of a row id that tell it from others of its origin.
  static let keyBits: UInt64 = 0xFFF_FFFF_FFFF
  private static let mostOrigins = 1 << 20

  private struct State {
    /// By what their entities, stores and bits mix to. By a number, as in `PageMemory`.
    var numbers: [Int: UInt64] = [:]
    var free: [UInt64] = []
    var end: UInt64 = 0

    mutating func takeNumber() -> UInt64 {
      if let number = free.popLast() { return number }
      guard end < mostOrigins else {
        fatalError(
          "There are object ids of \(mostOrigins) pairs of an entity and a store at once, and no more can be told apart: "
            + "let go of ids of models and stores that are not used any more.")
      }
      defer { end += 1 }
      return end
    }
  }

  private static let state = Mutex(State())

  /// The origins by their numbers. Unsafe only by its type: a place is written under the lock, before anybody has an id with
  /// its number and after the last one has gone.
  nonisolated(unsafe) private static let places: UnsafeMutablePointer<Unmanaged<IDOrigin>?> = {
    // Memory that is not touched is not there.
    guard let memory = calloc(mostOrigins, MemoryLayout<Unmanaged<IDOrigin>?>.stride) else {
      fatalError("There is no memory for object ids.")
    }
    return memory.assumingMemoryBound(to: Unmanaged<IDOrigin>?.self)
  }()

  private init(_ entity: NSEntityDescription, _ store: StoreIdentity?, _ common: UInt64, _ number: UInt64) {
    (self.entity, model) = (entity, entity.model)
    (self.store, self.common, self.number) = (store, common, number)
  }

  deinit {
    let place = Self.place(common, entity, store)
    Self.state.withLock { state in
      Self.places[Int(number)] = nil
      state.free.append(number)
      // Another may have come to its place already.
      if state.numbers[place] == number { state.numbers[place] = nil }
    }
  }

  /// The origin of the id of a row.
  static func origin(of id: RowID, _ entity: NSEntityDescription, _ store: StoreIdentity?) -> IDOrigin {
    let common = id.bits & ~keyBits
    let place = place(common, entity, store)
    let (origin, stranger): (IDOrigin, IDOrigin?) = state.withLock { state in
      var stranger: IDOrigin?
      if let number = state.numbers[place], let held = places[Int(number)], strata_try_retain(held.toOpaque()) != nil {
        let known = held.takeRetainedValue()
        if known.isOrigin(of: id, entity, store) { return (known, nil) }
        stranger = known
      }
      let made = IDOrigin(entity, store, common, state.takeNumber())
      places[Int(made.number)] = .passUnretained(made)
      state.numbers[place] = made.number
      return (made, stranger)
    }
    // Its last reference may be this one, and its end takes the lock.
    withExtendedLifetime(stranger) {}
    return origin
  }

  func isOrigin(of id: RowID, _ entity: NSEntityDescription, _ store: StoreIdentity?) -> Bool {
    common == id.bits & ~Self.keyBits && self.entity === entity && self.store === store
  }

  private static func place(_ common: UInt64, _ entity: NSEntityDescription, _ store: StoreIdentity?) -> Int {
    Int(bitPattern: Unmanaged.passUnretained(entity).toOpaque())
      ^ (store.map { Int(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0) << 16
      ^ Int(bitPattern: UInt(common))
  }

  /// The origin with a number that an id has.
  @inline(__always)
  static func numbered(_ number: UInt64) -> IDOrigin { held(number)._withUnsafeGuaranteedRef { $0 } }

  /// Ends the reference of an id.
  @inline(__always)
  static func release(_ number: UInt64) { held(number).release() }

  /// There as long as the id.
  @inline(__always)
  private static func held(_ number: UInt64) -> Unmanaged<IDOrigin> { places[Int(number)].unsafelyUnwrapped }
}
