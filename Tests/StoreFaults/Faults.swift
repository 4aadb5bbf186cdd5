import Foundation
import StrataCFaultVFS
import StrataCSQLite
import Synchronization

/// Injects faults into SQLite's file operations, operations on external data files, and commit signals. There is one
/// plan at a time, for all connections of the process.
enum Faults {
  /// How calls fail.
  enum FailureMode: String, CaseIterable {
    /// Any call: EIO.
    case refused
    /// A write: ENOSPC.
    case full
    /// A write: half of it is done, then ENOSPC.
    case short
  }

  struct Plan {
    var mode = FailureMode.refused
    /// The first call to fail, counted from 1 among those that can fail in this way.
    var first: Int
    /// Whether all later calls fail too.
    var isLasting = false
    /// Whether only commits' writes to the WAL fail.
    var isLogOnly = false
  }

  enum Kind: Int, CaseIterable {
    case open, close, read, write, truncate, sync, size, lock, unlock, delete, access
    case sharedMap, sharedLock, sharedUnlock
    case dataOpen, dataWrite, dataSync, dataRemove
    case signal, signaled
  }

  struct Call {
    var kind: Kind
    var path: String
    var bytes: UnsafeRawBufferPointer
    var offset: Int
    /// For a deletion: whether the folder is synced too.
    var count: Int
  }

  private struct State {
    var plan: Plan?
    var count = 0
    var failed: [Kind: Int] = [:]
    var killPoint: (call: Int, report: @Sendable (String) -> Void)?
    var recorder: (@Sendable (Call) -> Void)?
  }

  private static let state = Mutex(State())

  /// Affects every connection opened from now on.
  static func install() {
    let code = fault_vfs_install { call in call.map { Faults.result($0.pointee) } ?? 0 }
    precondition(code == SQLITE_OK, "SQLite did not install the VFS: \(code)")
  }

  static func arm(_ plan: Plan) {
    state.withLock {
      $0.plan = plan
      $0.count = 0
      $0.failed = [:]
    }
  }

  /// - Returns: the number of failed calls by kind.
  static func disarm() -> [Kind: Int] {
    state.withLock { state in
      state.plan = nil
      return state.failed
    }
  }

  /// Kills the process before a call, counted from 1. `report` receives the call.
  static func killProcess(atCall call: Int, _ report: @escaping @Sendable (String) -> Void) {
    state.withLock {
      $0.killPoint = (call, report)
      $0.count = 0
    }
  }

  static var count: Int { state.withLock { $0.count } }

  static func record(_ recorder: (@Sendable (Call) -> Void)?) { state.withLock { $0.recorder = recorder } }

  private static func result(_ raw: fault_call) -> Int32 {
    guard let kind = Kind(rawValue: Int(raw.kind.rawValue)) else { return 0 }
    return state.withLock { state in
      if let recorder = state.recorder {
        recorder(
          Call(
            kind: kind, path: raw.path.map { String(cString: $0) } ?? "",
            bytes: UnsafeRawBufferPointer(start: raw.bytes, count: raw.bytes == nil ? 0 : Int(raw.count)),
            offset: Int(raw.offset), count: Int(raw.count)))
      }
      if let killPoint = state.killPoint {
        state.count += 1
        if state.count == killPoint.call {
          let lock = kind == .sharedLock || kind == .sharedUnlock ? "\(raw.offset)" : ""
          killPoint.report("\(kind)\(lock) \(raw.path.map { String(cString: $0) } ?? "")")
          kill(getpid(), SIGKILL)
        }
      }
      // The simulated power cut does not affect the real disk, so waiting for it would prove nothing.
      let success = kind == .sync || kind == .dataSync ? FAULT_PRETEND : 0
      guard let plan = state.plan, let code = plan.mode.code(of: kind) else { return success }
      if plan.isLogOnly, kind != .write || raw.path.map({ String(cString: $0).hasSuffix("-wal") }) != true {
        return success
      }
      state.count += 1
      guard plan.isLasting ? state.count >= plan.first : state.count == plan.first else { return success }
      state.failed[kind, default: 0] += 1
      return code
    }
  }
}

extension Faults.FailureMode {
  /// The result of a call of this kind that fails in this way, an SQLite code or errno; nil if it cannot fail in this way. See
  /// https://sqlite.org/rescode.html
  fileprivate func code(of kind: Faults.Kind) -> Int32? {
    switch (self, kind) {
    case (.full, .write): SQLITE_FULL
    case (.short, .write), (.short, .dataWrite): FAULT_SHORT_WRITE
    case (.full, .dataWrite): ENOSPC
    case (.full, _), (.short, _): nil
    case (.refused, .open): SQLITE_CANTOPEN
    case (.refused, .read): SQLITE_IOERR | 1 << 8
    case (.refused, .write): SQLITE_IOERR | 3 << 8
    case (.refused, .sync): SQLITE_IOERR | 4 << 8
    case (.refused, .truncate): SQLITE_IOERR | 6 << 8
    case (.refused, .size): SQLITE_IOERR | 7 << 8
    case (.refused, .delete): SQLITE_IOERR | 10 << 8
    case (.refused, .access): SQLITE_IOERR | 13 << 8
    case (.refused, .lock): SQLITE_IOERR | 15 << 8
    case (.refused, .sharedLock): SQLITE_IOERR | 20 << 8
    case (.refused, .sharedMap): SQLITE_IOERR | 21 << 8
    case (.refused, .dataOpen): EMFILE
    case (.refused, .dataWrite), (.refused, .dataSync), (.refused, .dataRemove): EIO
    // Signals do not fail here: a failure would only delay them and print a message on standard error.
    case (.refused, .signal), (.refused, .signaled): nil
    case (.refused, .close), (.refused, .unlock), (.refused, .sharedUnlock): nil
    }
  }
}
