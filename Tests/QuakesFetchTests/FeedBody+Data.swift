import Foundation

@testable import StrataQuakesFeeds

extension FeedBody {
  /// Reads up to a number of bytes; fewer only at the end.
  func read(upTo count: Int) throws -> Data {
    var data = Data(count: count)
    var length = 0
    while length < count {
      let part = try data.withUnsafeMutableBytes { try read(into: .init(rebasing: $0[length...])) }
      if part == 0 { break }
      length += part
    }
    return data.prefix(length)
  }
}
