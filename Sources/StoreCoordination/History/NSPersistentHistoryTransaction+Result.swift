import StrataObjectGraph

// A request for the history may name what it finds: `NSFetchRequest<NSPersistentHistoryTransaction>(entityName: "Transaction")`.
extension NSPersistentHistoryTransaction: NSFetchRequestResult {}
extension NSPersistentHistoryChange: NSFetchRequestResult {}
