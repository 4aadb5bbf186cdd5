/// A client that records changes, and registers their undo actions only before a group ends.
struct UndoClient {
  let id: ObjectIdentifier
  /// Registers the changes; returns false once the client is gone.
  let registerChanges: () -> Bool
}

extension UndoManager {
  /// Adds a client, which registers its changes before a group ends.
  /// - Parameter registerChanges: must not retain the client, and returns false once that is gone.
  package func add(client id: ObjectIdentifier, registerChanges: @escaping () -> Bool) {
    // A released client may have had the same address.
    remove(client: id)
    clients.append(UndoClient(id: id, registerChanges: registerChanges))
  }

  package func remove(client id: ObjectIdentifier) { clients.removeAll { $0.id == id } }
}
