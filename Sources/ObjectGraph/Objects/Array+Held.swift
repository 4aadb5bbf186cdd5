import Glibc

extension [NSManagedObject] {
  /// Visits the objects without counting references: the array retains them.
  @inline(__always)
  func forEachHeld(_ body: (NSManagedObject) throws -> Void) rethrows {
    try withUnsafeBufferPointer { objects in
      // A reference and an unmanaged reference have the same layout.
      try objects.withMemoryRebound(to: Unmanaged<NSManagedObject>.self) { objects in
        for object in objects { try object._withUnsafeGuaranteedRef(body) }
      }
    }
  }

  /// Whether a condition holds for one of the objects.
  @inline(__always)
  func containsHeld(where holds: (NSManagedObject) -> Bool) -> Bool {
    var isFound = false
    forEachHeld { if !isFound { isFound = holds($0) } }
    return isFound
  }

  /// Whether both have the same objects in the same order.
  func holdsSame(as other: [NSManagedObject]) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBytes { mine in
      other.withUnsafeBytes { others in
        guard let first = mine.baseAddress, let second = others.baseAddress else { return true }
        return memcmp(first, second, mine.count) == 0
      }
    }
  }

  /// Removes and returns all objects.
  mutating func removeAndReturnAll() -> [NSManagedObject] {
    var removed: [NSManagedObject] = []
    swap(&self, &removed)
    return removed
  }

  /// Releases the objects, and keeps the memory of a small array.
  mutating func releaseAll() { removeAll(keepingCapacity: count < 64) }

  /// Takes over the memory of an array that was emptied, if this one is empty too.
  mutating func reuse(_ emptied: inout [NSManagedObject]) {
    if isEmpty { swap(&self, &emptied) }
  }
}
