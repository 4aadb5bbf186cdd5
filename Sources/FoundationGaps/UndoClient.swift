/// Somebody who notes changes, and registers how to undo them only before a group ends.
struct UndoClient {
  let id: ObjectIdentifier
  /// Registers what has changed; false once the client is gone.
  let registerChanges: () -> Bool
}

extension UndoManager {
  /// Has a client register its changes before a group ends.
  /// - Parameter registerChanges: does not keep the client, and answers false once that is gone.
  package func add(client id: ObjectIdentifier, registerChanges: @escaping () -> Bool) {
    // A client that is gone may have lain where the new one is.
    remove(client: id)
    clients.append(UndoClient(id: id, registerChanges: registerChanges))
  }

  package func remove(client id: ObjectIdentifier) { clients.removeAll { $0.id == id } }
}
