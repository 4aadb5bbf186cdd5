import Foundation
import StrataTestSupport
import Testing

@testable import StrataQuakesFeeds

@Suite("Reading a body through a window") struct BodyWindowTests {
  @Test func `the window keeps requested bytes and advances`() {
    let window = BodyWindow(FeedBody(Data((0..<100).map { UInt8($0) })), size: 16, maximumSize: 32)
    #expect(Array(window.bytes) == Array(0..<16) && !window.isLast)
    #expect(window.advance(to: 12))
    #expect(window.offset == 12 && Array(window.bytes) == Array(12..<28))
    #expect(window.advance(to: 13))
    #expect(Array(window.bytes) == Array(13..<45))
    #expect(!window.advance(to: 13))
    #expect(!window.isLast)
    #expect(window.advance(to: 45) && window.advance(to: 77))
    #expect(window.isLast && Array(window.bytes) == Array(77..<100))
    #expect(!window.advance(to: 80))
    #expect(window.end == 100)
  }

  /// Valid and broken features. The windows begin and end at every byte.
  static let bodies: [String] = [
    feedBody((0..<6).map { feature(id: "\"us\($0)\"") }),
    feedBody([feature(), "17", feature(id: "7"), feature(id: #""z""#)]),
    feedBody(FeedProblemTests.brokenFeatures.flatMap { [$0, feature(id: #""z""#)] }),
    String(feedBody((0..<3).map { feature(id: "\"us\($0)\"") }).dropLast(700)),
    feedBody([feature(), #"{"type":"Feature","id":"a","x":["#, feature(), feature()]),
    feedBody([#"{"type":"Feature","id":"a","x":["# + feature() + "," + feature() + "]}", feature(id: #""z""#)]),
    feedBody([feature() + "\n" + feature(), feature()]) + "{}", feature(), feature() + "\n" + feature(),
  ]

  @Test(arguments: bodies)
  func `the window size does not change the result`(text: String) throws {
    let bytes = Array(text.utf8)
    let whole = try parse(bytes)
    for size in Array(4...64) + stride(from: 67, to: 3000, by: 31) {
      let result = try parse(bytes, window: size)
      #expect(result.events == whole.events, "window of \(size)")
      #expect(result.problems == whole.problems, "window of \(size)")
      #expect(result.metadata == whole.metadata)
    }
  }

  @Test func `a long feature with another inside is not closed, through any window`() throws {
    let blanks = String(repeating: " ", count: 80_000)
    for (before, after) in [("", blanks), (blanks, "")] {
      let nested = #"{"type":"Feature","id":"a","x":["# + before + feature(id: #""inner""#) + after + "]}"
      let bytes = Array(feedBody([nested, feature(id: #""z""#)]).utf8)
      let whole = try parse(bytes)
      #expect(whole.events.map(\.identifier) == (before.isEmpty ? ["inner"] : ["z"]))
      for size in [64, 512, 4_096, 65_000, 66_000, 100_000] {
        let result = try parse(bytes, window: size)
        #expect(result.events == whole.events && result.problems == whole.problems, "window of \(size)")
      }
    }
  }

  @Test func `only an event larger than the maximum window is dropped`() throws {
    let large = feature(id: #""large""#, properties: ["x": "\"\(String(repeating: "x", count: 40_000))\""])
    let bytes = Array(feedBody([feature(id: #""a""#), large, feature(id: #""z""#)]).utf8)
    #expect(try parse(bytes, window: 256, largest: 65_536).events.map(\.identifier) == ["a", "large", "z"])
    let result = try parse(bytes, window: 256, largest: 16_384)
    #expect(result.events.map(\.identifier) == ["a", "z"])
    #expect(result.problems.map(\.feature) == [1])
    #expect(result.problems.first?.reason == .tooLarge(BodyWindow.maximumSize))
    #expect(!result.isWhole)
  }

  @Test func `a file is read through the window`() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    let text = feedBody((0..<2000).map { feature(id: "\"us\($0)\"") })
    try Data(text.utf8).write(to: file)
    let handle = try FileHandle(forReadingFrom: file)
    let window = BodyWindow(FeedBody(handle))
    var document = try EventDocument(window, now: testsNow)
    var identifiers: [String] = []
    while case .event(let event)? = document.next() { identifiers.append(event.identifier) }
    #expect(identifiers == (0..<2000).map { "us\($0)" })
    #expect(document.isWhole)
    #expect(window.offset > text.utf8.count / 2 && window.bytes.count <= BodyWindow.defaultSize)
  }

  @Test func `an unreadable body throws its reason`() throws {
    let handle = FileHandle(fileDescriptor: open("/", O_RDONLY), closeOnDealloc: true)
    #expect(throws: FeedFailure.self) { try EventDocument(FeedBody(handle)) }
  }
}

@Suite("Completeness of a document") struct WholenessTests {
  static let bodies: [(String, Bool)] = [
    (feedBody([feature(), feature(id: #""us2""#)]), true), (feedBody([]), true),
    (feedBody([feature()], count: 2), false), (feedBody([feature(), feature()], count: 1), true),
    (feedBody([feature(properties: ["mag": "[]"])]), true), (feedBody([feature(), "7"], count: 1), false),
    (feedBody([feature() + feature()]), false), (String(feedBody([feature()]).dropLast()), false),
    (#"{"features":[]}"#, true), (#"{"features":["#, false),
  ]

  @Test(arguments: bodies)
  func `a document is whole if nothing is missing or broken`(text: String, isWhole: Bool) throws {
    #expect(try parse(text).isWhole == isWhole)
  }
}
