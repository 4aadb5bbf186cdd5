import StrataTestSupport

/// A simulated disk: its durable contents, and the writes since each file's last sync, which may be lost.
struct Disk {
  /// The loss of unsynced writes when the power fails.
  enum Loss: CaseIterable {
    case all
    /// Each 512-byte sector independently.
    case anySectors
    /// The last writes, from a random byte on.
    case tail
  }

  private static let sector = 512
  private var durable: [String: [UInt8]] = [:]
  private var pending: [String: [Recording.Change]] = [:]

  var isUncertain: Bool { !pending.isEmpty }

  mutating func record(_ change: Recording.Change) {
    switch change {
    case .wrote(let file, _, _), .truncated(let file, _), .deleted(let file, false):
      pending[file, default: []].append(change)
    case .deleted(let file, true):
      pending[file] = nil
      durable[file] = nil
    case .synced(let file):
      for change in pending.removeValue(forKey: file) ?? [] { Self.apply(change, to: &durable) }
    case .acknowledged, .files: break
    }
  }

  func afterPowerLoss(_ loss: Loss, _ random: inout some RandomNumberGenerator) -> [String: [UInt8]] {
    var files = durable
    guard loss != .all else { return files }
    for (_, changes) in pending.sorted(by: { $0.key < $1.key }) {
      let kept = Int.random(in: 0...changes.count, using: &random)
      for (index, change) in changes.enumerated() {
        switch (loss, change) {
        case (.anySectors, .wrote(let file, let bytes, let offset)):
          Self.applySectors(of: bytes, at: offset, to: &files[file, default: []], &random)
        case (.anySectors, _):
          if Bool.random(using: &random) { Self.apply(change, to: &files) }
        case (_, .wrote(let file, let bytes, let offset)) where index == kept:
          let part = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
          Self.apply(.wrote(file: file, bytes: part, offset: offset), to: &files)
        default:
          if index < kept { Self.apply(change, to: &files) }
        }
      }
    }
    return files
  }

  private static func applySectors(
    of bytes: [UInt8], at offset: Int, to file: inout [UInt8], _ random: inout some RandomNumberGenerator
  ) {
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, ((offset + start) / sector + 1) * sector - offset)
      if Bool.random(using: &random) { put(bytes[start..<end], at: offset + start, to: &file) }
      start = end
    }
  }

  private static func apply(_ change: Recording.Change, to files: inout [String: [UInt8]]) {
    switch change {
    case .wrote(let file, let bytes, let offset): put(bytes[...], at: offset, to: &files[file, default: []])
    case .truncated(let file, let size):
      let old = files[file] ?? []
      files[file] = old.count > size ? Array(old[..<size]) : old + [UInt8](repeating: 0, count: size - old.count)
    case .deleted(let file, _): files[file] = nil
    case .synced, .acknowledged, .files: break
    }
  }

  private static func put(_ bytes: ArraySlice<UInt8>, at offset: Int, to file: inout [UInt8]) {
    let end = offset + bytes.count
    if file.count < end { file += [UInt8](repeating: 0, count: end - file.count) }
    file.replaceSubrange(offset..<end, with: bytes)
  }
}
