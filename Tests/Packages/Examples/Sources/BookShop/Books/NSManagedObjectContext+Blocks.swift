import CoreData

/// The overload with a result that libraries have declared since before Core Data had it.
extension NSManagedObjectContext {
  public func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
    try Self.result(of: block, run: performAndWait(_:)) { throw $0 }
  }

  private static func result<T>(
    of block: () throws -> T, run: (() -> Void) -> Void, rescue: (any Error) throws -> T
  ) rethrows -> T {
    var result: Result<T, any Error>?
    withoutActuallyEscaping(block) { block in run { result = Result { try block() } } }
    switch result! {
    case .success(let value): return value
    case .failure(let error): return try rescue(error)
    }
  }
}
