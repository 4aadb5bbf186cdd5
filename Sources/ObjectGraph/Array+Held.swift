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
}
