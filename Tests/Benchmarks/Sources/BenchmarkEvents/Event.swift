import BenchmarkData

/// A quake in Swift's own types, independent of any store. Times are seconds since 2001.
public struct Event: Sendable {
  public var ident, place, net, status, type: String
  public var time, updated, magnitude, latitude, longitude, depth: Double
  public var felt: Int64?
  public var significance: Int64
  public var region: Int
  public var tags: [Int]

  public init(_ index: Int) {
    var quake = benchmark_quake()
    benchmark_make(UInt64(index), &quake)
    self.init(quake)
  }

  public init(feed index: Int, rows: Int) {
    var quake = benchmark_quake()
    benchmark_feed(UInt64(index), UInt64(rows), &quake)
    self.init(quake)
  }

  private init(_ quake: benchmark_quake) {
    func text<T>(_ characters: T) -> String {
      withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    ident = text(quake.ident)
    (place, net) = (text(quake.place), text(quake.net))
    (status, type) = (text(quake.status), text(quake.type))
    (time, updated, magnitude) = (quake.time, quake.updated, quake.magnitude)
    (latitude, longitude, depth) = (quake.latitude, quake.longitude, quake.depth)
    felt = quake.felt < 0 ? nil : quake.felt
    (significance, region) = (quake.significance, Int(quake.region))
    let (first, second, third, fourth) = quake.tags
    tags = [first, second, third, fourth].prefix(Int(quake.tag_count)).map { Int($0) }
  }
}
