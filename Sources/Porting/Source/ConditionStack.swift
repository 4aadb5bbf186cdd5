/// The conditional blocks around a position of a source.
struct ConditionStack {
  private struct Block {
    var isLiveOutside: Bool
    /// Whether Linux certainly compiles an earlier branch.
    var isDecided = false
    var isLive = false
  }

  private var blocks: [Block] = []

  var depth: Int { blocks.count }

  /// Whether Linux may compile the code here.
  var isLive: Bool { blocks.last?.isLive ?? true }

  /// Reads `#if`, `#elseif`, `#else` or `#endif`.
  mutating func read(_ directive: String) {
    if directive.hasPrefix("#elseif") {
      branch(LinuxCondition.value(of: directive.dropFirst(7)))
    } else if directive.hasPrefix("#else") {
      branch(true)
    } else if directive.hasPrefix("#endif") {
      _ = blocks.popLast()
    } else {
      blocks.append(Block(isLiveOutside: isLive))
      branch(LinuxCondition.value(of: directive.dropFirst(3)))
    }
  }

  private mutating func branch(_ value: Bool?) {
    guard var block = blocks.popLast() else { return }
    block.isLive = block.isLiveOutside && !block.isDecided && value != false
    if value == true { block.isDecided = true }
    blocks.append(block)
  }
}
