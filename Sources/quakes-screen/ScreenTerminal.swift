import Foundation
import StrataQuakes
import Synchronization

/// A terminal that a program has for itself: the alternate screen, and keys as they are pressed.
///
/// `leave()` makes it as it was. So do `exit` and every signal that ends the process and can be caught. Control-C,
/// Control-\ and Control-Z stay signals. Until then, standard error is redirected if it is a terminal; it is restored
/// along with the text that was written to it.
@MainActor
public final class ScreenTerminal {
  /// The state of the terminal.
  public struct Usage: Sendable {
    public var handledSignals: Set<Int32>
    public var hasPastes: Bool

    /// - Parameters:
    ///   - handledSignals: signals that end a process, but that the program handles itself.
    ///   - hasPastes: whether pastes are distinguished from keys.
    public init(handledSignals: Set<Int32> = [], hasPastes: Bool = false) {
      (self.handledSignals, self.hasPastes) = (handledSignals, hasPastes)
    }
  }

  private let stream = StandardStream.output
  private let usage: Usage
  private var shown: Frame?
  /// How much of standard error was reported, and how much of that was dismissed.
  private var (reported, dismissed): (off_t, off_t) = (0, 0)

  public init(_ usage: Usage = Usage()) {
    self.usage = usage
  }

  public var size: ScreenSize { ScreenSize(of: stream.descriptor) }

  /// Whether a screen can be used: standard input and output are terminals, and `TERM` supports moving the cursor.
  nonisolated public static func isUsable(environment: (String) -> String? = Environment.variable) -> Bool {
    let name = environment("TERM") ?? ""
    return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && !name.isEmpty && name != "dumb"
  }
}

// MARK: - Entering and leaving

extension ScreenTerminal {
  /// The alternate screen, without line wrap, so that a character wider than expected moves nothing.
  private static let entering: OutputText = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l"
  private static let leaving: OutputText = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?2004l\u{1B}[?25h\u{1B}[?7h\u{1B}[?1049l"

  /// Enters the screen. In the background, it stops the process first, as the system does on writes.
  ///
  /// - Returns: false if the process is still in the background when it continues, or if the output is not a terminal.
  @discardableResult
  public func enter() -> Bool {
    let state = TerminalState.contents
    if TerminalState.isChanged.load(ordering: .sequentiallyConsistent) { return true }
    if !TerminalState.isInForeground(stream.descriptor) { stop(SIGTTOU) }
    guard TerminalState.isInForeground(stream.descriptor) else { return false }
    // After an unannounced stop, the shell restores the modes that were set here.
    if state.pointee.hasModes == 0, tcgetattr(stream.descriptor, &state.pointee.modes) != 0 { return false }
    state.pointee.hasModes = 1
    prepare()
    captureError()
    // From here on a signal must restore it.
    TerminalState.isChanged.store(true, ordering: .sequentiallyConsistent)
    take()
    return true
  }

  /// Sets the modes and shows the screen.
  private func take() {
    var modes = TerminalState.contents.pointee.modes
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)
    modes.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
    withUnsafeMutableBytes(of: &modes.c_cc) { (bytes) in (bytes[Int(VMIN)], bytes[Int(VTIME)]) = (1, 0) }
    tcsetattr(stream.descriptor, TCSANOW, &modes)
    stream.write(Self.entering + (usage.hasPastes ? "\u{1B}[?2004h" : ""))
    shown = nil
  }

  /// Makes the terminal as it was. What was typed and not yet read is dropped: it was not meant for the shell.
  public func leave() { TerminalState.restore() }

  /// Stops the process, as Control-Z does, with the terminal as it was; takes it again when the process continues.
  ///
  /// - Returns: as `enter()` does.
  public func suspend() -> Bool {
    // Input from here on belongs to the shell.
    TerminalState.restore(dropsInput: false)
    stop(SIGTSTP)
    return enter()
  }

  /// Takes the terminal again: after the process was stopped by others, the shell may have changed modes and screen.
  ///
  /// - Returns: as `enter()` does.
  public func reenter() -> Bool {
    if TerminalState.isChanged.load(ordering: .sequentiallyConsistent), TerminalState.isInForeground(stream.descriptor)
    {
      // The modes are not restored in between, so keys that are typed at that moment are kept.
      take()
      return true
    }
    TerminalState.restore(dropsInput: false)
    return enter()
  }

  /// Hands the terminal to a program that the body runs and waits for, and then enters the screen again.
  ///
  /// While it runs, Control-C and Control-\ go to that program, and Control-Z stops both.
  ///
  /// - Returns: the body's result, and what `enter()` returns.
  public func lend<Result>(_ body: () -> Result) -> (result: Result, isOwner: Bool) {
    TerminalState.restore(dropsInput: false)
    // A handler, unlike a signal that is ignored, is not passed on to the program.
    let actions = [
      (SIGINT, sigaction(handler: { _ in })), (SIGQUIT, sigaction(handler: { _ in })), (SIGTSTP, sigaction()),
    ]
    let former = actions.map { number, action in
      var (action, former) = (action, sigaction())
      sigaction(number, &action, &former)
      return (number, former)
    }
    // Threads of the main queue block signals, and the program would inherit that.
    var (none, formerMask) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &formerMask)
    let result = body()
    // Another thread may be about to take the key that ended the program.
    var (keys, noTime) = (sigset_t(), timespec())
    sigemptyset(&keys)
    for number in [SIGINT, SIGQUIT] { sigaddset(&keys, number) }
    pthread_sigmask(SIG_BLOCK, &keys, nil)
    while sigtimedwait(&keys, nil, &noTime) > 0 {}
    for (number, action) in former {
      var action = action
      sigaction(number, &action, nil)
    }
    pthread_sigmask(SIG_SETMASK, &formerMask, nil)
    return (result, enter())
  }

  /// Whether the terminal was hung up.
  public var isGone: Bool {
    var modes = termios()
    return tcgetattr(stream.descriptor, &modes) != 0
  }

  /// Stops the process with a signal, unless its process group is orphaned: then no shell could continue it.
  private func stop(_ number: Int32) {
    var (standard, former) = (sigaction(), sigaction())
    sigaction(number, &standard, &former)
    // Threads of the main queue take no signals otherwise.
    var (mask, formerMask) = (sigset_t(), sigset_t())
    sigemptyset(&mask)
    sigaddset(&mask, number)
    pthread_sigmask(SIG_UNBLOCK, &mask, &formerMask)
    raise(number)
    pthread_sigmask(SIG_SETMASK, &formerMask, nil)
    sigaction(number, &former, nil)
  }

  /// One-time setup.
  private func prepare() {
    let state = TerminalState.contents
    guard state.pointee.descriptor < 0 else { return }
    state.pointee.descriptor = stream.descriptor
    state.pointee.ownDescriptor = open("/dev/tty", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    let bytes = Array(Self.leaving.text.utf8)
    state.pointee.leaving = .allocate(capacity: bytes.count)
    _ = state.pointee.leaving.initialize(from: bytes)
    state.pointee.errorFile = Self.makeErrorFile()
    TerminalState.catchFatalSignals(except: usage.handledSignals)
    atexit { TerminalState.restore() }
  }
}

// MARK: - Writing

extension ScreenTerminal {
  /// Shows a frame.
  ///
  /// - Returns: false if the terminal is gone.
  public func show(_ frame: Frame) -> Bool {
    guard TerminalState.isChanged.load(ordering: .sequentiallyConsistent) else { return true }
    let update = frame.update(from: shown)
    shown = frame
    return update == "" || stream.write(update)
  }

  /// Has the next frame written as a whole.
  public func forgetFrame() { shown = nil }
}

// MARK: - Standard error

extension ScreenTerminal {
  /// Text beyond this is dropped, the oldest first.
  private static let maximumErrorBytes = 65_536  // bytes

  /// Replaces it with an unlinked file: unlike a pipe, it does not block when it is not read.
  private static func makeErrorFile() -> Int32 {
    guard isatty(STDERR_FILENO) == 1, let file = tmpfile() else { return -1 }
    let descriptor = fileno(file)
    // Each writer appends, and programs that this one starts do not have it.
    return fcntl(descriptor, F_SETFL, O_APPEND) == 0 && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 ? descriptor : -1
  }

  private func captureError() {
    let state = TerminalState.contents
    guard state.pointee.errorFile >= 0 else { return }
    let saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    guard saved >= 0 else { return }
    state.pointee.savedError = saved
    dup2(state.pointee.errorFile, STDERR_FILENO)
  }

  /// The file that standard error goes to while the screen is shown; nil if it is not captured.
  public var errorFile: Int32? {
    let state = TerminalState.contents.pointee
    return state.savedError >= 0 ? state.errorFile : nil
  }

  /// Hides the last error that was reported; it is written to the terminal on leaving.
  public func dismissErrors() { dismissed = reported }

  /// The last line that was written to standard error and not dismissed since the terminal was entered; nil if it does not
  /// exist.
  public var lastError: String? {
    let state = TerminalState.contents.pointee
    var status = stat()
    guard state.savedError >= 0, fstat(state.errorFile, &status) == 0 else { return nil }
    if status.st_size < dismissed { dismissed = 0 }
    guard status.st_size > dismissed else { return nil }
    reported = status.st_size
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = pread(state.errorFile, &bytes, bytes.count, max(0, status.st_size - off_t(bytes.count)))
    if status.st_size > Self.maximumErrorBytes { ftruncate(state.errorFile, 0) }
    let lines = bytes.prefix(max(0, count)).split(separator: UInt8(ascii: "\n"))
    return lines.last.map { String(decoding: $0, as: UTF8.self) }
  }
}
