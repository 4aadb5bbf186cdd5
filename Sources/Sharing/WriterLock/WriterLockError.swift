import Foundation
import StrataRowStore

/// The reason the writer lock could not be acquired: its holder, the failure and a remedy.
package struct WriterLockError: Error, CustomStringConvertible {
  package enum Kind: Equatable, Sendable {
    /// The deadline passed while another writer had the lock.
    case timedOut
    /// A system call failed with this `errno`.
    case system(Int32)
    /// The lock was closed, or inherited by `fork`: a child shares the parent's lock and would not be excluded by it.
    case unusable
  }

  package let kind: Kind
  package let message: String
  package var description: String { message }

  package var storeCode: StoreError.Code {
    switch kind {
    case .timedOut: .busy
    case .system(EACCES), .system(EPERM), .system(EROFS): .permission
    case .system(ENOSPC), .system(EDQUOT): .full
    case .system: .io
    case .unusable: .notOpen
    }
  }

  package init(_ kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }

  static func system(_ failure: LockFile.Failure, what: String, help: String) -> WriterLockError {
    WriterLockError(
      .system(failure.code), message: "cannot \(what): \(failure.reason) (errno \(failure.code)); \(help)")
  }
}
