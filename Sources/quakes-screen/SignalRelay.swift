import Dispatch
import Foundation
import StrataQuakes

/// Brings signals to the main queue.
///
/// A handler writes the signal's number into a pipe. Unlike signals that are ignored or blocked for a dispatch source,
/// those that are handled have their usual action in programs that this one starts. One relay exists in a process.
@MainActor
public final class SignalRelay {
  /// The end of the pipe that the handler writes; -1 before there is one.
  /// unsafe: it is set once, before the first handler can run.
  nonisolated(unsafe) private static let pipe: UnsafeMutablePointer<Int32> = {
    let pointer = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    pointer.initialize(to: -1)
    return pointer
  }()

  private let source: any DispatchSourceRead

  /// Handles signals until the end of the process. Those that are ignored when the program starts stay so.
  ///
  /// - Throws: `Failure` with status 74 if this process has no descriptors left.
  public init(_ numbers: [Int32], handler: @escaping @MainActor @Sendable (Int32) -> Void) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else {
      throw Failure(.outputFailed, "cannot create a pipe for the screen: \(Failure.systemError())")
    }
    for end in ends where fcntl(end, F_SETFD, FD_CLOEXEC) == 0 { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    Self.pipe.pointee = ends[1]
    let reading = ends[0]
    source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: .main)
    source.setEventHandler {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(reading, &bytes, bytes.count)
      for number in bytes.prefix(max(0, count)) { MainActor.assumeIsolated { handler(Int32(number)) } }
    }
    source.activate()
    for number in numbers {
      var (action, former) = (sigaction(handler: Self.relay), sigaction())
      action.sa_flags = SA_RESTART
      guard sigaction(number, nil, &former) == 0, !former.isIgnored else { continue }
      sigaction(number, &action, nil)
    }
  }

  private static let relay: @convention(c) (Int32) -> Void = { number in
    let code = errno
    var byte = UInt8(truncatingIfNeeded: number)
    write(SignalRelay.pipe.pointee, &byte, 1)
    errno = code
  }
}
