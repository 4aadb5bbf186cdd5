import StrataModelGraph
import StrataTestSupport
import Testing

/// Random operations on models, compared with a plain model after each. `strata-model-test` runs more of them.
@Suite struct RandomModelTests {
  @Test(.endsEventually, arguments: 1...4)
  func `contexts and stores have what a plain model says`(seed: UInt64) throws {
    let session = try ModelSession(seed: seed) { _ in }
    for step in Step.sequence(seed: seed, count: 80) { try session.perform(step) }
    try session.finish()
  }
}
