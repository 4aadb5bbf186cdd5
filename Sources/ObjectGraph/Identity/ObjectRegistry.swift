import Foundation
import StrataManagedModel
import StrataRowStore
import StrataRuntime
import Synchronization

/// The objects of a context by ID, held weakly: at most one object per ID.
///
/// An open-addressing table of unretained pointers: a lookup takes a few nanoseconds, where a Dictionary of weak
/// references takes a few hundred. An object removes itself when it is deinitialized, on whatever thread that happens;
/// the lock, and a retain that fails once deinitialization has begun, keep a lookup from reviving it.
final class ObjectRegistry: @unchecked Sendable {
  // Sendable: the table is used only under the lock.

  /// An object's 48-bit address, with the lowest 16 bits of its key above it, so that a search rarely touches another
  /// object: an entry is half as large as with the whole key, and so is the memory that a search reads.
  /// See https://docs.kernel.org/arch/x86/x86_64/mm.html and https://docs.kernel.org/arch/arm64/memory.html
  private struct Entry: Equatable {
    private let bits: UInt64

    static let free = Entry(bits: 0)
    /// A removed object, which a search must pass.
    static let removed = Entry(bits: 1)

    private init(bits: UInt64) { self.bits = bits }

    init(_ object: UnsafeMutableRawPointer, _ key: UInt64) {
      let address = UInt64(UInt(bitPattern: object))
      precondition(address >> 48 == 0, "This system's addresses have more than 48 bits: \(object).")
      bits = address | key << 48
    }

    var object: UnsafeMutableRawPointer? {
      bits <= 1 ? nil : UnsafeMutableRawPointer(bitPattern: UInt(bits & 0xFFFF_FFFF_FFFF))
    }

    /// The key of an object that has not removed itself yet, even if its deinitialization has begun.
    var key: UInt64? {
      object.map { Unmanaged<NSManagedObject>.fromOpaque($0)._withUnsafeGuaranteedRef { $0.rowID.bits } }
    }

    @inline(__always)
    func has(_ key: UInt64) -> Bool { (bits ^ key << 48) >> 48 == 0 && self.key == key }
  }

  /// The context, which removes itself when it is deinitialized, so this never points to freed memory.
  @exclusivity(unchecked) private(set) var heldContext: Unmanaged<NSManagedObjectContext>?
  /// Counts changes of values and relationships: a validation that corrects one is repeated.
  @exclusivity(unchecked) var valueChanges = 0
  /// The stamps of the lists of members that objects and caches hold.
  @exclusivity(unchecked) var stamps = RelationshipStamps()
  /// Counts reads of faults that failed: an edit that needed one has no effect.
  @exclusivity(unchecked) var failedReads = 0
  /// Whether the context records the objects' state before changes.
  @exclusivity(unchecked) var keepsJournal = false
  /// The fault being created; nil otherwise.
  @exclusivity(unchecked) var pendingFault: PendingFault?
  /// Set in a context that only records what a getter reads; its objects then stay faults. Used on the context's queue alone.
  @exclusivity(unchecked) var recorder: ReadRecorder?
  /// Whether the context merges what others save; read by those who saved.
  let merges = Atomic(false)
  /// Whether waiting merges are combined; any thread may set it.
  let combines = Atomic(false)
  /// Keeps the entities of the objects alive, whatever happens to the context and its coordinator.
  @exclusivity(unchecked) var model: NSManagedObjectModel? {
    didSet {
      guard let oldValue, oldValue !== model, !earlierModels.contains(where: { $0 === oldValue }) else { return }
      earlierModels.append(oldValue)
    }
  }
  /// The models of objects that left the context before it got another model. Changed on the context's queue.
  @exclusivity(unchecked) private var earlierModels: [NSManagedObjectModel] = []

  private let lock = Mutex(())
  @exclusivity(unchecked) private var entries: UnsafeMutableBufferPointer<Entry>
  @exclusivity(unchecked) private var used = 0
  @exclusivity(unchecked) private var live = 0
  /// The number of objects that got the registry from their context. Together they retain it once, while there are any,
  /// instead of once per object.
  @exclusivity(unchecked) private var members = 0
  /// The objects retained because the program asked for it; nil otherwise.
  @exclusivity(unchecked) private var kept: [UnsafeMutableRawPointer: NSManagedObject]?

  /// - Parameter model: the model of the entity, for an object without a context.
  init(keeping model: NSManagedObjectModel? = nil) {
    self.model = model
    entries = Self.table(of: model == nil ? 16 : 8)
  }

  deinit { Self.release(entries) }

  /// Allocates a table of free entries, which are all zero: at least as many as requested.
  private static func table(of capacity: Int) -> UnsafeMutableBufferPointer<Entry> {
    let size = PageMemory.goodSize((capacity + 7) / 8 * 8 * MemoryLayout<Entry>.stride)
    let memory = PageMemory.allocateZeroed(size)
    return UnsafeMutableBufferPointer(
      start: memory.assumingMemoryBound(to: Entry.self), count: size / MemoryLayout<Entry>.stride)
  }

  private static func release(_ table: UnsafeMutableBufferPointer<Entry>) {
    guard let memory = table.baseAddress else { return }
    PageMemory.releaseZeroed(memory, size: table.count * MemoryLayout<Entry>.stride)
  }

  var count: Int { lock.withLock { _ in live } }

  var context: NSManagedObjectContext? {
    @inline(__always) get { heldContext?._withUnsafeGuaranteedRef { $0 } }
  }

  /// Returns the entity of an object's layout.
  func entity(of layout: EntityLayout) -> NSEntityDescription {
    if let model, earlierModels.isEmpty { return model.entity(of: layout) }
    // A context below one without a coordinator has the model of that one's objects.
    let models = [model ?? context?.model].compactMap(\.self) + earlierModels
    guard let model = models.first(where: { $0.owns(layout) }) else {
      fatalError("The model of the entity '\(layout.name)' is not that of its object's context.")
    }
    return model.entity(of: layout)
  }

  /// Returns the object with an ID.
  func object(_ id: RowID) -> NSManagedObject? {
    lock.withLock { _ in
      guard let pointer = entries[bucket(of: id.bits)].object, strata_try_retain(pointer) != nil else { return nil }
      return Unmanaged<NSManagedObject>.fromOpaque(pointer).takeRetainedValue()
    }
  }

  /// Returns the objects of rows, by row index; empty if the context does not have any objects.
  func objects(of rows: RowList) -> [NSManagedObject?] {
    lock.withLock { _ in
      if live == 0 { return [] }
      var found: [NSManagedObject?] = []
      found.reserveCapacity(rows.count)
      rows.forEach { page, index in
        if let pointer = entries[bucket(of: page.id(index).bits)].object, strata_try_retain(pointer) != nil {
          found.append(Unmanaged<NSManagedObject>.fromOpaque(pointer).takeRetainedValue())
        } else {
          found.append(nil)
        }
      }
      return found
    }
  }

  /// Inserts many objects, except at the indexes of known ones.
  func insert(_ objects: [NSManagedObject], except known: [NSManagedObject?]) {
    lock.withLock { _ in
      let new = known.isEmpty ? objects.count : known.count { $0 == nil }
      // Grows at least by half, so that many small fetches do not rehash each time.
      if isFull(with: new) { grow(for: max(live + new, live + live / 2)) }
      var bucket = 0
      objects.forEachHeld { object in
        if known.isEmpty || known[bucket] == nil { put(object, id: object.rowID) }
        bucket += 1
      }
      admit(new)
    }
  }

  func insert(_ object: NSManagedObject, id: RowID) {
    lock.withLock { _ in
      makeRoom()
      put(object, id: id)
      admit(1)
    }
  }

  private func admit(_ count: Int) {
    if members == 0, count > 0 { _ = Unmanaged.passRetained(self) }
    members += count
  }

  /// Makes room for one more object.
  private func makeRoom() { if isFull(with: 1) { grow(for: live * 2) } }

  private func isFull(with new: Int) -> Bool { (used + new) * 4 > entries.count * 3 }

  /// Inserts an object that there is room for.
  @inline(__always)
  private func put(_ object: NSManagedObject, id: RowID) {
    let bucket = insertionBucket(of: id.bits)
    if entries[bucket] == .free { used += 1 }
    if entries[bucket].object == nil { live += 1 }
    let pointer = Unmanaged.passUnretained(object).toOpaque()
    entries[bucket] = Entry(pointer, id.bits)
    if kept != nil { kept?[pointer] = object }
  }

  /// Whether the objects are retained, as `retainsRegisteredObjects` asks.
  var isStrong: Bool {
    get { lock.withLock { _ in kept != nil } }
    set {
      let objects = newValue ? objects() : []
      // The last references to objects may go away at the end of this scope, and their deinits take the lock.
      let released = lock.withLock { _ in
        let before = kept
        kept = newValue ? [:] : nil
        for object in objects { kept?[Unmanaged.passUnretained(object).toOpaque()] = object }
        return before
      }
      withExtendedLifetime(released) {}
    }
  }

  /// Gives objects other IDs, in the order of the objects.
  func rename(_ objects: [NSManagedObject], as ids: [RowID]) {
    lock.withLock { _ in
      // The entries of all old IDs are freed first: then the new IDs rarely need a larger table.
      for (object, id) in zip(objects, ids) where object.rowID != id {
        take(out: Unmanaged.passUnretained(object).toOpaque(), object.rowID)
      }
      if isFull(with: objects.count) { grow(for: live + max(objects.count, live / 2)) }
      for (object, id) in zip(objects, ids) where object.rowID != id {
        object.rowID = id
        put(object, id: id)
      }
    }
  }

  /// Removes an object; another object that has taken over the ID stays. Removing the last one may release the
  /// registry.
  func remove(_ object: NSManagedObject, id: RowID) {
    let pointer = Unmanaged.passUnretained(object).toOpaque()
    let isEmpty = lock.withLock { _ in
      take(out: pointer, id)
      if kept != nil { kept?[pointer] = nil }
      members -= 1
      return members == 0
    }
    if isEmpty { Unmanaged.passUnretained(self).release() }
  }

  private func take(out pointer: UnsafeMutableRawPointer, _ id: RowID) {
    let entry = Entry(pointer, id.bits)
    var bucket = firstBucket(of: id.bits)
    while entries[bucket] != entry {
      if entries[bucket] == .free { return }
      bucket = self.bucket(after: bucket)
    }
    clear(bucket)
    live -= 1
  }

  /// Frees an entry if no search has to pass it, and then those before it that no search needs to pass any
  /// more.
  private func clear(_ bucket: Int) {
    entries[bucket] = .removed
    guard entries[self.bucket(after: bucket)] == .free else { return }
    var bucket = bucket
    while entries[bucket] == .removed {
      entries[bucket] = .free
      used -= 1
      bucket = (bucket == 0 ? entries.count : bucket) - 1
    }
  }

  /// Returns the context, retained, for a thread that does not know whether it still exists.
  func livingContext() -> NSManagedObjectContext? {
    lock.withLock { _ in
      // Touched only after it is retained.
      guard let context = heldContext, strata_try_retain(context.toOpaque()) != nil else { return nil }
      return context.takeRetainedValue()
    }
  }

  /// Whether the context exists. It is not retained: the caller may hold a lock that its deinitializer needs.
  var hasContext: Bool { lock.withLock { _ in heldContext != nil } }

  /// Sets or removes the context.
  func setContext(_ context: NSManagedObjectContext?) {
    lock.withLock { _ in heldContext = context.map(Unmanaged.passUnretained) }
  }

  /// Stops the program if the table violates what searches rely on; for tests.
  func checkInvariants() {
    lock.withLock { _ in
      let objects = entries.indices.filter { entries[$0].object != nil }
      precondition(objects.count == live, "There are \(objects.count) objects, and \(live) are counted.")
      let taken = entries.count { $0 != .free }
      precondition(taken == used, "\(taken) entries are taken, and \(used) are counted.")
      precondition(used < entries.count, "No entry is free: a search does not end.")
      for bucket in objects {
        guard let key = entries[bucket].key else { continue }
        precondition(self.bucket(of: key) == bucket, "\(RowID(bits: key)) is not found where it is, or is there twice.")
      }
      let pointers = Set(objects.compactMap { entries[$0].object })
      precondition(kept.map { pointers.isSuperset(of: $0.keys) } ?? true, "An object is kept that is not registered.")
    }
  }

  /// Returns all objects that are alive.
  func objects() -> [NSManagedObject] {
    lock.withLock { _ in
      entries.compactMap { entry in
        guard let pointer = entry.object, strata_try_retain(pointer) != nil else { return nil }
        return Unmanaged<NSManagedObject>.fromOpaque(pointer).takeRetainedValue()
      }
    }
  }

  @inline(__always)
  private func firstBucket(of key: UInt64) -> Int { RowID(bits: key).firstBucket(in: entries.count) }

  @inline(__always)
  private func bucket(after bucket: Int) -> Int { bucket + 1 == entries.count ? 0 : bucket + 1 }

  /// Returns the index of a key, or of the free entry that ends the search for it.
  private func bucket(of key: UInt64) -> Int {
    var bucket = firstBucket(of: key)
    while entries[bucket] != .free && !entries[bucket].has(key) { bucket = self.bucket(after: bucket) }
    return bucket
  }

  /// Returns the index of a key, or the index to insert it at: the entry of a removed object can be reused.
  @inline(__always)
  private func insertionBucket(of key: UInt64) -> Int {
    let entries = self.entries
    var bucket = firstBucket(of: key)
    var removed = -1
    while entries[bucket] != .free && !entries[bucket].has(key) {
      if removed < 0, entries[bucket] == .removed { removed = bucket }
      bucket = self.bucket(after: bucket)
    }
    return removed >= 0 && entries[bucket] == .free ? removed : bucket
  }

  private func grow(for count: Int) {
    let old = entries
    entries = Self.table(of: max(16, count + count / 2))
    used = live
    for entry in old { if let key = entry.key { entries[bucket(of: key)] = entry } }
    Self.release(old)
  }
}

/// A context that its coordinator or parent refers to without keeping it alive. A weak reference would make every
/// retain more expensive: 10 % of an insertion.
package struct ContextReference: Sendable {
  private let registry: ObjectRegistry
  /// The identifier of the context. After the context's end, that of another object may be the same.
  let id: ObjectIdentifier

  package init(_ context: NSManagedObjectContext) { (registry, id) = (context.registry, ObjectIdentifier(context)) }

  /// The context, while it lives.
  package var context: NSManagedObjectContext? { registry.livingContext() }

  /// Whether the context's deinitializer has run.
  var hasEnded: Bool { !registry.hasContext }

  /// Whether the context merges others' saves automatically.
  var isMerging: Bool { registry.merges.load(ordering: .relaxed) && !hasEnded }

  /// The context, if it merges others' saves automatically.
  var mergingContext: NSManagedObjectContext? {
    registry.merges.load(ordering: .relaxed) ? registry.livingContext() : nil
  }
}
