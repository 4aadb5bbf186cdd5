import CoreData

/// Counts the saves of a context: with a selector if they are available, and otherwise with a closure.
public final class SaveCounter: NSObject {
  public private(set) var saves = 0
  private var observer: (any NSObjectProtocol)?

  public init(context: NSManagedObjectContext) {
    super.init()
    #if canImport(ObjectiveC)
    NotificationCenter.default.addObserver(
      self, selector: #selector(contextDidSave(_:)), name: .NSManagedObjectContextDidSave, object: context)
    #else
    // Like the selector, the closure is called on the thread of the save.
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
