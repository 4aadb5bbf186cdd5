import Foundation

/// The number of earthquakes of each magnitude, in bins of 0.1.
public struct MagnitudeHistogram: Equatable, Sendable {
  /// The bins to the unit, as services round magnitudes.
  static let binsPerUnit = 10.0

  private(set) var firstBin = 0
  /// From the lowest bin on; empty, or neither its first nor its last is 0.
  private(set) var counts: [Int] = []
  public private(set) var total = 0

  public init() {}

  public init(_ magnitudes: some Sequence<Double>) {
    for magnitude in magnitudes { add(magnitude) }
  }

  /// - Parameter counts: of the bins from the lowest on.
  init(firstBin: Int, counts: [Int]) {
    guard let first = counts.firstIndex(where: { $0 > 0 }), let last = counts.lastIndex(where: { $0 > 0 }) else {
      return
    }
    (self.firstBin, self.counts) = (firstBin + first, Array(counts[first...last]))
    total = self.counts.reduce(0, +)
  }

  /// Counts a magnitude. Ignores one that is not finite, or that no earthquake has.
  public mutating func add(_ magnitude: Double) {
    guard let bin = Self.bin(magnitude) else { return }
    if counts.isEmpty { firstBin = bin }
    if bin < firstBin {
      counts.insert(contentsOf: repeatElement(0, count: firstBin - bin), at: 0)
      firstBin = bin
    } else if bin > lastBin {
      counts.append(contentsOf: repeatElement(0, count: bin - lastBin))
    }
    counts[bin - firstBin] += 1
    total += 1
  }

  var lastBin: Int { firstBin + counts.count - 1 }

  /// The lowest of the bins that have the most earthquakes.
  var modalBin: Int? {
    guard let most = counts.max(), most > 0 else { return nil }
    return counts.firstIndex(of: most).map { firstBin + $0 }
  }

  /// The counts of a bin and those above it.
  func counts(from bin: Int) -> ArraySlice<Int> {
    counts[min(max(bin - firstBin, 0), counts.count)...]
  }

  func count(from bin: Int) -> Int { counts(from: bin).reduce(0, +) }

  /// The bin of a magnitude; nil if it is not finite or beyond ±100.
  ///
  /// All bins are equally wide: halves are rounded up, also below 0. Multiplies, because 1.45 / 0.1 is less than 14.5.
  static func bin(_ magnitude: Double) -> Int? {
    abs(magnitude) < 100 ? Int((magnitude * binsPerUnit + 0.5).rounded(.down)) : nil
  }

  /// The magnitude in the middle of a bin.
  static func magnitude(ofBin bin: Int) -> Double { Double(bin) / binsPerUnit }
}
