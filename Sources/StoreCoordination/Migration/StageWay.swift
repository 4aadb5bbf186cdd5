import Foundation

/// The versions that stages name, in order, and how a store gets from one to the next.
///
/// A lightweight stage leads from each of its versions to the next, and connects the stages next to it: with a single
/// checksum, it leads from the version before to its own, and from its own to the version after. Several in a row count
/// as one: like Apple's framework, a store goes from a version straight to the next custom stage, or to the program's
/// model.
struct StageWay {
  /// Each version's checksum and the stage that names it; a version between two stages occurs twice.
  let versions: [(checksum: String, stage: NSMigrationStage)]

  /// The next step for a store.
  enum Step {
    case custom(NSCustomMigrationStage)
    /// To where a custom stage begins, or else to the program's model.
    case light(end: NSCustomMigrationStage?)
    /// The wanted version is older than the store's.
    case back
  }

  init(_ stages: [NSMigrationStage]) {
    versions = stages.flatMap { stage -> [(checksum: String, stage: NSMigrationStage)] in
      switch stage {
      case let stage as NSCustomMigrationStage:
        [(stage.currentModel.versionChecksum, stage), (stage.nextModel.versionChecksum, stage)]
      case let stage as NSLightweightMigrationStage: stage.versionChecksums.map { ($0, stage) }
      default: []
      }
    }
  }

  /// nil if no stage leads on.
  func step(from checksum: String, to target: String) -> Step? {
    guard let here = versions.lastIndex(where: { $0.checksum == checksum }) else { return nil }
    if let custom = versions[...here].lazy.compactMap({ $0.stage as? NSCustomMigrationStage })
      .first(where: { $0.currentModel.versionChecksum == checksum })
    {
      return .custom(custom)
    }
    let wanted = versions[here...].firstIndex { $0.checksum == target }
    if wanted == nil, versions[..<here].contains(where: { $0.checksum == target }) { return .back }
    let next = versions.indices.contains(here + 1) ? versions[here + 1] : nil
    guard versions[here].stage is NSLightweightMigrationStage || next?.stage is NSLightweightMigrationStage else {
      return nil
    }
    let border = versions[(here + 1)...].firstIndex { $0.stage is NSCustomMigrationStage }
    guard let border, wanted.map({ border < $0 }) ?? true else { return .light(end: nil) }
    return .light(end: versions[border].stage as? NSCustomMigrationStage)
  }
}
