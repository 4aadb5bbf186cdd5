import Glibc
import Synchronization

/// The memory of pages of rows.
///
/// Pages of many rows are blocks of one size, taken from chunks that are given back as a whole. The kernel is asked to
/// back a chunk by one large page of its own: touching 50 MB of small ones for the first time costs as much as a fifth of
/// a fetch that fills them. See https://docs.kernel.org/admin-guide/mm/transhuge.html
package enum PageMemory {
  /// The bytes of a block: some two hundred rows, so that their page costs each of them little, and few enough that one
  /// object which outlives the others keeps little memory.
  package static let blockSize = 65_536
  private static let chunkSize = 2_097_152

  private struct State: @unchecked Sendable {
    // Sendable: the addresses are of memory that everybody may use.

    /// For each chunk, by its address, a bit for each block that is free. By a number: for a key of another type Swift looks
    /// through every conformance of the program first, which takes half a millisecond.
    var free: [Int: UInt32] = [:]
    /// The chunks that have a free block.
    var open: [UnsafeMutableRawPointer] = []
  }

  private static let state = Mutex(State())

  static func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    guard size == blockSize else { return .allocate(byteCount: size, alignment: 8) }
    return state.withLock { state in
      if state.open.isEmpty {
        // Not the first chunk: a program that reads few rows would hold memory that it never touches.
        let chunk = map(chunkSize, isLarge: !state.free.isEmpty)
        state.free[Int(bitPattern: chunk)] = .max
        state.open.append(chunk)
      }
      let chunk = state.open[state.open.count - 1]
      let free = state.free[Int(bitPattern: chunk), default: 0]
      let block = free.trailingZeroBitCount
      state.free[Int(bitPattern: chunk)] = free & ~(1 << UInt32(block))
      if free.nonzeroBitCount == 1 { state.open.removeLast() }
      return chunk + block * blockSize
    }
  }

  static func release(_ memory: UnsafeMutableRawPointer, _ size: Int) {
    guard size == blockSize else { return memory.deallocate() }
    state.withLock { state in
      let address = Int(bitPattern: memory) & ~(chunkSize - 1)
      let chunk = UnsafeMutableRawPointer(bitPattern: address).unsafelyUnwrapped
      let before = state.free[address, default: 0]
      let free = before | 1 << UInt32((memory - chunk) / blockSize)
      state.free[address] = free
      if before == 0 { state.open.append(chunk) }
      // One is kept for the next fetch.
      guard free == .max, state.open.count > 1 else { return }
      state.free[address] = nil
      state.open.removeAll { $0 == chunk }
      munmap(chunk, chunkSize)
    }
  }

  /// The size to ask for where so much is needed: whole large pages for a table that takes most of one.
  package static func goodSize(_ size: Int) -> Int {
    size > chunkSize / 2 ? (size + chunkSize - 1) / chunkSize * chunkSize : size
  }

  /// Memory for a table, all zero; large pages back a large one.
  package static func allocateZeroed(_ size: Int) -> UnsafeMutableRawPointer {
    if size % chunkSize == 0 { return map(size, isLarge: true) }
    guard let memory = calloc(size, 1) else { fatalError("There is no memory of \(size) bytes.") }
    return memory
  }

  package static func releaseZeroed(_ memory: UnsafeMutableRawPointer, _ size: Int) {
    if size % chunkSize == 0 { munmap(memory, size) } else { free(memory) }
  }

  /// Whole chunks of memory at the address of a chunk.
  /// - Parameter isLarge: whether the kernel is asked for large pages.
  private static func map(_ size: Int, isLarge: Bool) -> UnsafeMutableRawPointer {
    // One chunk more than is wanted has as many aligned ones in it.
    let mapped = mmap(nil, size + chunkSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let mapped, mapped != MAP_FAILED else { fatalError("There is no memory of \(size) bytes.") }
    let before = -Int(bitPattern: mapped) & (chunkSize - 1)
    let memory = mapped + before
    if before > 0 { munmap(mapped, before) }
    munmap(memory + size, chunkSize - before)
    if isLarge { madvise(memory, size, MADV_HUGEPAGE) }
    return memory
  }
}
