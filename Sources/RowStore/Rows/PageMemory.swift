import Glibc
import Synchronization

/// Allocates memory for row pages.
///
/// Pages of many rows are blocks of one size, carved from chunks that are freed as a whole. The kernel is asked to back
/// each chunk with a huge page: first touching 50 MB of small pages costs a fifth of a fetch that fills them.
/// See https://docs.kernel.org/admin-guide/mm/transhuge.html
package enum PageMemory {
  /// The size of a block: some two hundred rows, so that a page's overhead per row is small, but few enough that one
  /// surviving object keeps little memory alive.
  package static let blockSize = 65_536
  private static let chunkSize = 2_097_152

  private struct State: @unchecked Sendable {
    // Sendable: the addresses are of memory that any thread may use.

    /// For each chunk, by address, one bit per free block. Keyed by Int, because for other key types Swift first
    /// searches all conformances of the program, which takes half a millisecond.
    var free: [Int: UInt32] = [:]
    /// The chunks with a free block.
    var open: [UnsafeMutableRawPointer] = []
  }

  private static let state = Mutex(State())

  static func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    guard size == blockSize else { return .allocate(byteCount: size, alignment: 8) }
    return state.withLock { state in
      if state.open.isEmpty {
        // Not for the first chunk: a program that reads few rows would hold memory that it never touches.
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

  static func release(_ memory: UnsafeMutableRawPointer, size: Int) {
    guard size == blockSize else { return memory.deallocate() }
    state.withLock { state in
      let address = Int(bitPattern: memory) & ~(chunkSize - 1)
      let chunk = UnsafeMutableRawPointer(bitPattern: address).unsafelyUnwrapped
      let before = state.free[address, default: 0]
      let free = before | 1 << UInt32((memory - chunk) / blockSize)
      state.free[address] = free
      if before == 0 { state.open.append(chunk) }
      // Keep one chunk for the next fetch.
      guard free == .max, state.open.count > 1 else { return }
      state.free[address] = nil
      state.open.removeAll { $0 == chunk }
      munmap(chunk, chunkSize)
    }
  }

  /// A multiple of the size of the kernel's small pages: 4 to 64 KiB.
  private static let smallPages = 65_536

  /// Rounds a large size up to whole pages.
  package static func goodSize(_ size: Int) -> Int {
    size >= chunkSize ? (size + smallPages - 1) / smallPages * smallPages : size
  }

  /// Zeroed memory for a table; if it is large, huge pages, but for its end: they would have to be whole.
  package static func allocateZeroed(_ size: Int) -> UnsafeMutableRawPointer {
    if size >= chunkSize { return map(goodSize(size), isLarge: true) }
    guard let memory = calloc(size, 1) else { fatalError("Cannot allocate \(size) bytes of memory.") }
    return memory
  }

  package static func releaseZeroed(_ memory: UnsafeMutableRawPointer, size: Int) {
    if size >= chunkSize { munmap(memory, goodSize(size)) } else { free(memory) }
  }

  /// Maps whole pages of memory, aligned to the chunk size.
  /// - Parameter isLarge: whether to ask the kernel for huge pages.
  private static func map(_ size: Int, isLarge: Bool) -> UnsafeMutableRawPointer {
    // One extra chunk guarantees that the mapping contains an aligned range.
    let mapped = mmap(nil, size + chunkSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let mapped, mapped != MAP_FAILED else { fatalError("Cannot allocate \(size) bytes of memory.") }
    let before = -Int(bitPattern: mapped) & (chunkSize - 1)
    let memory = mapped + before
    if before > 0 { munmap(mapped, before) }
    munmap(memory + size, chunkSize - before)
    if isLarge { madvise(memory, size, MADV_HUGEPAGE) }
    return memory
  }
}
