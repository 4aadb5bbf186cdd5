import Foundation

/// The versions that stages name, in their order, and how a store gets from one to the next.
///
/// A lightweight stage leads from each of its versions to the next one, and joins the stages beside it: with one checksum
/// alone it leads from the version before to its own, and from its own to the version after. Several of them in a row are
/// one: Apple's framework too goes from a version to the next custom stage, or to the model of the program, at once.
struct StageWay {
  /// The checksum of each version, and the stage that names it; a version on a border occurs twice.
  let versions: [(checksum: String, stage: NSMigrationStage)]

  /// What a store has to go through next.
  enum Step {
    case custom(NSCustomMigrationStage)
    /// To where a custom stage begins, or else to the model of the program.
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

  /// nil where no stage leads on.
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
