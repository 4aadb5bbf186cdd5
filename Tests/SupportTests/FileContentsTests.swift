import Foundation
import StrataSupport
import StrataTestSupport
import Testing

@Suite struct FileContentsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func failure(_ path: String, limit: Int = .max) -> FileContents.Failure? {
    do throws(FileContents.Failure) {
      _ = try FileContents.read(path, limit: limit)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a file is read as a whole or as a prefix`() throws {
    let path = folder.file("a")
    let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(try FileContents.read(path) == bytes)
    #expect(try FileContents.prefix(of: path, count: 16) == bytes.prefix(16))
    #expect(try FileContents.prefix(of: path, count: 1 << 40) == bytes)
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(try FileContents.read(path).isEmpty)
  }

  /// Opening a FIFO would wait for a writer.
  @Test(arguments: [(S_IFDIR, "a folder"), (S_IFIFO, "a FIFO"), (S_IFSOCK, "a socket")])
  func `a folder, FIFO, socket or device is refused without waiting`(mode: mode_t, kind: String) throws {
    let path = folder.file("a")
    try #require((mode == S_IFDIR ? mkdir(path, 0o700) : mknod(path, mode | 0o600, 0)) == 0)
    // A socket cannot be opened at all.
    #expect(
      failure(path)?.reason == (mode == S_IFSOCK ? String(cString: strerror(ENXIO)) : "it is \(kind), not a file"))
    #expect(failure("/dev/zero")?.reason == "it is a device, not a file")
  }

  @Test func `a sparse file that exceeds the limit or the memory is refused`() throws {
    let path = folder.file("a")
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    try #require(truncate(path, 1 << 30) == 0)
    #expect(failure(path, limit: 1 << 20)?.code == EFBIG)
    // More than the memory of any machine.
    try #require(truncate(path, 1 << 43) == 0)
    #expect(failure(path)?.code == ENOMEM)
  }
}
