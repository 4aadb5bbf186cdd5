/// An object's edits, what was prefetched with it, and its last ID: see `ObjectExtra`.
extension NSManagedObject {
  /// The edits, unless the object has only its own row; accessors read them without counting another reference.
  var heldEdits: Unmanaged<ObjectEdits>? {
    @inline(__always) get { extra.edits }
  }

  /// Whether the object has its own row, in a page of the context, which may be written.
  var ownsRow: Bool {
    @inline(__always) get { extra.isOwnRow || heldEdits?._withUnsafeGuaranteedRef { $0.ownsRow } ?? false }
  }

  /// Marks the row as the object's own, without allocating edits for that alone.
  @inline(__always)
  func markRowAsOwn() {
    if extra.isNone { extra = .ownRow } else if !extra.isOwnRow { ownEdits().ownsRow = true }
  }

  /// Ends edits that only mark the row as the object's own; returns false if there are others.
  @inline(__always)
  func endOwnRow() -> Bool {
    guard extra.isOwnRow else { return false }
    extra = .none
    return true
  }

  /// The edits. They are allocated if the object has only its own row: `ownsRow` and `heldEdits` allocate nothing.
  var edits: ObjectEdits? {
    @inline(__always) get { extra.isOwnRow ? allocateEdits() : heldEdits?.takeUnretainedValue() }
    set {
      let (old, ahead) = (extra, prefetchCache)
      if let newValue {
        newValue.prefetchCache = ahead
        if let lastID = old.lastID { newValue.lastID = lastID.takeUnretainedValue() }
        extra = ObjectExtra(Unmanaged.passRetained(newValue))
      } else {
        extra = ahead.map { ObjectExtra(Unmanaged.passRetained($0)) } ?? .none
      }
      old.release()
    }
  }

  @inline(never)
  private func allocateEdits() -> ObjectEdits {
    let made = ObjectEdits(layout: layout)
    made.ownsRow = true
    extra = ObjectExtra(Unmanaged.passRetained(made))
    return made
  }

  /// The object's last ID, after it has left its context.
  var lastID: NSManagedObjectID? {
    get {
      guard let heldEdits else { return extra.lastID?.takeUnretainedValue() }
      return heldEdits._withUnsafeGuaranteedRef { $0.lastID }
    }
    set {
      if extra.isOwnRow { _ = allocateEdits() }
      if let heldEdits { return heldEdits._withUnsafeGuaranteedRef { $0.lastID = newValue } }
      let old = extra
      extra = newValue.map { ObjectExtra(Unmanaged.passRetained($0)) } ?? .none
      old.release()
    }
  }

  /// The prefetch cache; accessors read it without counting another reference.
  var heldPrefetchCache: Unmanaged<PrefetchCache>? {
    @inline(__always) get {
      guard let heldEdits else { return extra.prefetchCache }
      return heldEdits._withUnsafeGuaranteedRef { $0.prefetchCache.map(Unmanaged.passUnretained) }
    }
  }

  /// The rows and relationships prefetched with the object.
  var prefetchCache: PrefetchCache? {
    @inline(__always) get { heldPrefetchCache?.takeUnretainedValue() }
    set {
      if extra.isOwnRow {
        if newValue == nil { return }
        _ = allocateEdits()
      }
      if let heldEdits { return heldEdits._withUnsafeGuaranteedRef { $0.prefetchCache = newValue } }
      let old = extra
      extra = newValue.map { ObjectExtra(Unmanaged.passRetained($0)) } ?? .none
      old.release()
    }
  }

  /// Adopts a prefetch cache that the caller has retained, for many objects together.
  @inline(__always)
  func use(_ ahead: Unmanaged<PrefetchCache>) {
    if extra.isOwnRow { _ = allocateEdits() }
    if let heldEdits { return heldEdits._withUnsafeGuaranteedRef { $0.prefetchCache = ahead.takeRetainedValue() } }
    let old = extra
    extra = ObjectExtra(ahead)
    old.release()
  }
}
