import Foundation
import StrataQuakes

/// Loads the bytes of a feed from any source.
struct FeedLoader: Sendable {
  var web = WebClient()
  var now: @Sendable () -> Date = { Date() }

  /// - Returns: nil if the feed has not changed since the validators were issued.
  func load(
    _ request: FeedRequest, validators: inout WebClient.Validators
  ) throws(FetchFailure) -> Data? {
    switch request.source {
    case .web(let url):
      let answer = try web.get(url, unlessUnchanged: validators)
      // A 304 response may omit validators; the current ones stay valid.
      if answer.body != nil { validators = answer.validators }
      return answer.body
    case .file(let path): return try read(path)
    case .standardInput: return try read(FileHandle.standardInput, name: "standard input")
    case .sample: return Data(SampleFeed(now: now()).text.utf8)
    }
  }

  private func read(_ path: String) throws(FetchFailure) -> Data {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      let reason = Failure.systemError()
      throw FetchFailure(Failure(.badAnswer, "cannot read \(path): \(reason); check the path and its permissions"))
    }
    return try read(handle, name: path)
  }

  /// Reads up to one byte past the limit, to detect larger bodies.
  private func read(_ handle: FileHandle, name: String) throws(FetchFailure) -> Data {
    var body = Data()
    do {
      while body.count <= web.maximumSize, let part = try handle.read(upToCount: web.maximumSize + 1 - body.count),
        !part.isEmpty
      {
        // A file usually arrives in one part, which need not be copied.
        if body.isEmpty { body = part } else { body.append(part) }
      }
    } catch {
      throw FetchFailure(Failure(.badAnswer, "cannot read \(name): \(error.localizedDescription)", cause: error))
    }
    guard body.count <= web.maximumSize else {
      throw FetchFailure(Failure(.badAnswer, "\(name) is larger than \(web.maximumSize >> 20) MB and was discarded"))
    }
    return body
  }
}
