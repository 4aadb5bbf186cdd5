import Foundation
import StrataQuakes
import Synchronization

/// How the terminal was, and how to make it so again from anywhere, a signal handler included.
///
/// A handler may interrupt any instruction, so it may neither allocate nor lock: all that it needs is in memory of fixed
/// places, and what it calls is in the list of signal-safety(7).
enum TerminalState {
  struct Contents {
    /// 1 while `modes` must still be restored.
    var hasModes: Int32 = 0
    var descriptor: Int32 = -1
    /// The terminal with O_NONBLOCK, so that a handler does not block if the terminal is not read; -1 without one.
    var ownDescriptor: Int32 = -1
    var modes = termios()
    /// Standard error, while a file replaces it; else -1.
    var savedError: Int32 = -1
    /// The file that replaces standard error; -1 without one.
    var errorFile: Int32 = -1
    /// The output that reverts the output on entering.
    var leaving: UnsafeMutableBufferPointer<UInt8> = .allocate(capacity: 0)
    var buffer: UnsafeMutableRawBufferPointer = .allocate(byteCount: 4096, alignment: 1)
    /// The actions that signals had, by their numbers.
    var formerActions: UnsafeMutablePointer<sigaction> = .allocate(capacity: 65)
  }

  /// unsafe: the main thread changes it, and handlers, which only read it, must see it as it is at that moment.
  nonisolated(unsafe) static let contents: UnsafeMutablePointer<Contents> = {
    let pointer = UnsafeMutablePointer<Contents>.allocate(capacity: 1)
    pointer.initialize(to: Contents())
    return pointer
  }()

  /// Whether the screen is ours. A handler may run on one thread while another one draws.
  static let isChanged = Atomic(false)

  /// Makes the terminal as it was; does nothing if it is so. Safe in a signal handler.
  ///
  /// - Parameter dropsInput: whether what was typed and not yet read is dropped.
  static func restore(dropsInput: Bool = true) {
    guard isChanged.exchange(false, ordering: .sequentiallyConsistent) else { return }
    write(UnsafeRawBufferPointer(contents.pointee.leaving))
    let descriptor = contents.pointee.descriptor
    // In the background the modes are those of the shell, or of the program that it runs.
    if contents.pointee.hasModes != 0, isInForeground(descriptor) {
      // Input typed ahead is for this program, not for the shell.
      if dropsInput { tcflush(descriptor, TCIFLUSH) }
      tcsetattr(descriptor, TCSANOW, &contents.pointee.modes)
      contents.pointee.hasModes = 0
    }
    restoreError()
  }

  /// Whether the terminal is this process group's to read and to set. Safe in a signal handler.
  static func isInForeground(_ descriptor: Int32) -> Bool { tcgetpgrp(descriptor) == getpgrp() }

  /// A few times, because another thread may be writing a frame.
  private static func write(_ bytes: UnsafeRawBufferPointer) {
    let own = contents.pointee.ownDescriptor
    var rest = bytes
    var attempts = 0
    while !rest.isEmpty, attempts < 50 {
      let count = Foundation.write(own >= 0 ? own : contents.pointee.descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno == EAGAIN || errno == EINTR {
        poll(nil, 0, 10)
        attempts += 1
      } else {
        return
      }
    }
  }

  /// Restores standard error, and prints the text that was written to it.
  private static func restoreError() {
    let (saved, file) = (contents.pointee.savedError, contents.pointee.errorFile)
    guard saved >= 0 else { return }
    contents.pointee.savedError = -1
    dup2(saved, STDERR_FILENO)
    let buffer = contents.pointee.buffer
    lseek(file, 0, SEEK_SET)
    while case let count = read(file, buffer.baseAddress, buffer.count), count > 0 {
      _ = Foundation.write(STDERR_FILENO, buffer.baseAddress, count)
    }
    ftruncate(file, 0)
    close(saved)
  }
}

// MARK: - Signals that end the process

extension TerminalState {
  /// Signals that end a process unless they are handled, except SIGKILL.
  private static let fatalSignals = [
    SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM,
    SIGSTKFLT, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSYS,
  ]

  /// Lets signals restore the terminal before they end the process. Those that are ignored stay so, as `nohup` wants.
  ///
  /// - Parameter others: signals that the program handles itself.
  static func catchFatalSignals(except others: Set<Int32>) {
    for number in fatalSignals where !others.contains(number) {
      let former = contents.pointee.formerActions + Int(number)
      guard sigaction(number, nil, former) == 0, !former.pointee.isIgnored else { continue }
      var action = sigaction(handler: restoreAndEnd)
      action.sa_flags = SA_ONSTACK
      sigaction(number, &action, nil)
    }
  }
}

/// Restores the terminal, and has the signal do what it did without this handler.
private func restoreAndEnd(_ number: Int32) {
  let code = errno
  defer { errno = code }
  TerminalState.restore()
  sigaction(number, TerminalState.contents.pointee.formerActions + Int(number), nil)
  // It waits until this handler returns. A fault then happens again at the same instruction or is reported as this one.
  raise(number)
}

extension sigaction {
  init(handler: @escaping @convention(c) (Int32) -> Void) {
    self.init()
    __sigaction_handler.sa_handler = handler
    sigemptyset(&sa_mask)
  }

  var isIgnored: Bool {
    unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
