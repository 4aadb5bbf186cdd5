import Foundation

/// The lines of standard input, until its end or until a signal asks the program to end. Lines that were read before are
/// still delivered.
struct RequestLines {
  let stream: AsyncStream<String>
  private let signals: [any DispatchSourceSignal]

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    self.stream = stream
    signals = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)  // otherwise the signal ends the process before the source receives it
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.finish() }
      source.activate()
      return source
    }
    Thread.detachNewThread {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }
  }
}
