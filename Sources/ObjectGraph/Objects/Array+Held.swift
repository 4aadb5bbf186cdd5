extension [NSManagedObject] {
  /// Hands over the objects one after another without counting references to them: the array holds them meanwhile.
  @inline(__always)
  func forEachHeld(_ body: (NSManagedObject) throws -> Void) rethrows {
    try withUnsafeBufferPointer { objects in
      // A reference and one that is not counted are laid out alike.
      try objects.withMemoryRebound(to: Unmanaged<NSManagedObject>.self) { objects in
        for object in objects { try object._withUnsafeGuaranteedRef(body) }
      }
    }
  }

  /// Whether something holds of one of the objects.
  @inline(__always)
  func containsHeld(where holds: (NSManagedObject) -> Bool) -> Bool {
    var isFound = false
    forEachHeld { if !isFound { isFound = holds($0) } }
    return isFound
  }

  /// Whether both are of the same objects in the same order.
  func holdsSame(as other: [NSManagedObject]) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBufferPointer { mine in other.withUnsafeBufferPointer { mine.elementsEqual($0, by: ===) } }
  }

  /// Takes all objects out.
  mutating func takeAll() -> [NSManagedObject] {
    var taken: [NSManagedObject] = []
    swap(&self, &taken)
    return taken
  }

  /// Lets go of objects that were taken out. The memory of a few serves the next ones.
  mutating func takeBack(_ taken: inout [NSManagedObject]) {
    taken.removeAll(keepingCapacity: taken.count < 64)
    if isEmpty { swap(&self, &taken) }
  }
}
