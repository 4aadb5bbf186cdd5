import Foundation

/// Notices that the reader of the output has left, also while there is nothing to write.
public enum PipeClosedMonitor {
  /// Exits with status 0 when the stream's reader is gone. Does not wake the process until then.
  public static func endProcess(whenReaderLeaves stream: StandardStream) {
    let thread = Thread {
      // No events: the kernel reports an error or a hang-up in any case, and nothing else wakes the thread.
      var wait = pollfd(fd: stream.descriptor, events: 0, revents: 0)
      while poll(&wait, 1, -1) < 0 { guard errno == EINTR else { return } }
      // Not exit: the other threads still run, and nothing is buffered.
      _exit(ExitStatus.ok.rawValue)
    }
    thread.stackSize = 64 << 10
    thread.start()
  }
}
