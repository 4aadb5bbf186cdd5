/// The state of an object in its context. The context's sets of inserted, updated and deleted objects are derived from
/// it.
///
/// ```
///  detached ─insert→ inserted ─save→ clean ─set→ changed ─save→ clean
///                        │             │ ↑fire       │
///                     delete         delete/refresh  delete
///                        ↓             ↓ fault       ↓
///                     detached      deleted ─save→ detached
/// ```
package enum ObjectLife: UInt8, Sendable {
  /// In no context: not inserted yet, deleted and saved, or its context was reset or released.
  case detached
  /// Known by its ID; its values are read on first access.
  case fault
  /// As read or last saved.
  case clean
  /// Not in the store yet.
  case inserted
  /// To be written at the next save.
  case changed
  /// To be removed at the next save.
  case deleted

  /// Whether the next save concerns the object.
  @inlinable package var isPending: Bool { rawValue >= ObjectLife.inserted.rawValue }
}
