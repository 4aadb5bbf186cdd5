import CoreData

/// Counts the saves of a context: by target and action where there are selectors, and by a closure elsewhere.
public final class SaveCounter: NSObject {
  public private(set) var saves = 0
  private var observer: (any NSObjectProtocol)?

  public init(context: NSManagedObjectContext) {
    super.init()
    #if canImport(ObjectiveC)
    NotificationCenter.default.addObserver(
      self, selector: #selector(contextDidSave(_:)), name: .NSManagedObjectContextDidSave, object: context)
    #else
    // Called where the context saves, as a selector is.
    nonisolated(unsafe) weak let counter = self
    observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: context, queue: nil
    ) { counter?.contextDidSave($0) }
    #endif
  }

  deinit {
    if let observer { NotificationCenter.default.removeObserver(observer) }
  }

  #if canImport(ObjectiveC)
  @objc
  #endif
  private func contextDidSave(_ notification: Notification) { saves += 1 }
}
