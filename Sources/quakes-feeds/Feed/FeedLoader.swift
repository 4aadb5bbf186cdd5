import Foundation
import StrataQuakes

/// Why fetching a feed failed, and when to retry.
public struct FetchFailure: Error {
  /// The failure for the user.
  public internal(set) var failure: Failure
  /// The wait that the service asks for.
  var retryAfter: Duration?
  /// The HTTP status, if that is the failure.
  var status: Int?

  init(_ failure: Failure, retryAfter: Duration? = nil, status: Int? = nil) {
    (self.failure, self.retryAfter, self.status) = (failure, retryAfter, status)
  }
}

/// The response of a source.
struct FeedResponse {
  /// nil if the feed has not changed since the validators were issued.
  var body: BodyFile?
  /// For the next request; nil if the current ones stay valid.
  var validators: Validators?
  /// The time until new data is available, if the service reports it.
  var freshness: Duration?
}

/// Loads the bodies of feeds from any source, several concurrently.
public final class FeedLoader {
  /// An event of a feed that is under way.
  struct Arrival {
    enum Event {
      /// A stream is connected.
      case opened
      /// A stream has brought a message, which may be impossible to keep.
      case message(Result<BodyFile, FetchFailure>)
      /// Nothing follows. A stream always ends with a failure.
      case ended(Result<FeedResponse, FetchFailure>)
    }

    var number: Int
    var event: Event

    /// The response of a feed; nil for a stream that continues.
    var result: Result<FeedResponse, FetchFailure>? { if case .ended(let result) = event { result } else { nil } }
  }

  private let limits: WebLimits
  private let now: @Sendable () -> Date
  private let interruption: Int32?
  private let web: WebClient
  private let timer: WakeTimer
  private var validators: [Int: Validators] = [:]
  private var arrived: [Arrival] = []

  /// A loader without feeds.
  ///
  /// - Parameter interruption: a descriptor that becomes readable to end the wait for a local source.
  public init(
    limits: WebLimits = WebLimits(), interruption: Int32? = nil, now: @escaping @Sendable () -> Date = { Date() }
  ) throws(Failure) {
    (self.limits, self.interruption, self.now) = (limits, interruption, now)
    (web, timer) = (try WebClient(limits: limits), try WakeTimer())
  }

  /// Whether nothing is under way.
  var isIdle: Bool { web.isIdle && arrived.isEmpty }

  /// Starts to load a feed; a local source arrives immediately.
  ///
  /// - Parameter number: the feed's name in its `Arrival`; no other with this number may be under way.
  func begin(_ request: FeedRequest, unlessUnchanged validators: Validators = Validators(), number: Int) {
    self.validators[number] = validators
    do {
      switch request.source {
      case .web(let url):
        let address = ServiceFeed.url(url, period: request.period, at: now())
        try web.begin(address, unlessUnchanged: validators, number: number)
      case .stream(let url): try web.connect(url, number: number)
      case .file(let path): arrive(number, try file(path))
      case .standardInput: arrive(number, try body("standard input", of: STDIN_FILENO))
      case .sample: arrive(number, try sample())
      }
    } catch {
      arrived.append(Arrival(number: number, event: .ended(.failure(FetchFailure(error)))))
    }
  }

  /// Ends a stream, of which nothing arrives anymore.
  func end(_ number: Int) { web.disconnect(number) }

  /// Waits until something arrives, the time has come or a descriptor is readable.
  ///
  /// - Returns: what has arrived, possibly nothing.
  func arrivals(until time: ContinuousClock.Instant?, or descriptors: [Int32] = []) -> [Arrival] {
    advance()
    if arrived.isEmpty {
      timer.set([time, web.deadline].compactMap { $0 }.min())
      web.wait(for: [timer.descriptor] + descriptors)
      advance()
    }
    defer { arrived = [] }
    return arrived.map(withoutOldNews)
  }

  private func advance() {
    arrived += web.advanceTransfers().map { Arrival(number: $0.number, event: .ended($0.result)) }
    arrived += web.advanceStreams().map { Arrival(number: $0.number, event: event($0.event)) }
  }

  private func event(_ event: WebSocketConnection.Event) -> Arrival.Event {
    switch event {
    case .opened: .opened
    case .message(let bytes): .message(message(bytes))
    case .ended(let failure): .ended(.failure(failure))
    }
  }

  private func message(_ bytes: [UInt8]) -> Result<BodyFile, FetchFailure> {
    Result { () throws(FetchFailure) in
      do throws(Failure) {
        let body = try BodyFile(of: "a message", maximumSize: limits.maximumSize)
        try bytes.withUnsafeBytes { bytes in Result { () throws(Failure) in try body.append(bytes) } }.get()
        return body
      } catch {
        throw FetchFailure(error)
      }
    }
  }

  /// Drops an unchanged body.
  private func withoutOldNews(_ arrival: Arrival) -> Arrival {
    let known = validators.removeValue(forKey: arrival.number)?.fingerprint
    guard let known, case .ended(.success(var response)) = arrival.event, response.validators?.fingerprint == known
    else { return arrival }
    response.body = nil
    return Arrival(number: arrival.number, event: .ended(.success(response)))
  }

  private func arrive(_ number: Int, _ body: BodyFile) {
    let response = FeedResponse(body: body, validators: Validators(fingerprint: body.fingerprint))
    arrived.append(Arrival(number: number, event: .ended(.success(response))))
  }
}

// MARK: - Local sources

extension FeedLoader {
  private func file(_ path: String) throws(Failure) -> BodyFile {
    // Opening a FIFO does not wait for its writer; reading does, until interrupted.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(.badResponse, "cannot read \(path): \(Failure.systemError()); check the path and its permissions")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      throw Failure(.badResponse, "cannot read \(path): it is a folder; name the file of a feed")
    }
    return try body(path, of: descriptor)
  }

  private func body(_ name: String, of descriptor: Int32) throws(Failure) -> BodyFile {
    let body = try BodyFile(of: name, maximumSize: limits.maximumSize)
    try body.append(contentsOf: descriptor, interruption: interruption)
    return body
  }

  private func sample() throws(Failure) -> BodyFile {
    let body = try BodyFile(of: "the sample", maximumSize: limits.maximumSize)
    var text = SampleFeed(now: now()).text
    try text.withUTF8 { bytes in Result { () throws(Failure) in try body.append(UnsafeRawBufferPointer(bytes)) } }.get()
    return body
  }
}
