import Foundation

/// Random numbers determined by a seed, so that a failure repeats (SplitMix64: https://prng.di.unimi.it/splitmix64.c).
public struct SeededRandom: RandomNumberGenerator, Sendable {
  /// The seed of tests that do not choose one: `STRATA_TEST_SEED`, or 1.
  public static let defaultSeed = ProcessInfo.processInfo.environment["STRATA_TEST_SEED"].flatMap(UInt64.init) ?? 1

  private var state: UInt64

  public init(seed: UInt64 = Self.defaultSeed) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
