import Foundation
import StrataTestSupport
import Testing

@testable import StrataSystemChecks

/// Files of proc(5), as the checks read them.
@Suite struct ProcFileTests {
  @Test func `the file system of a folder is that of its mount`() throws {
    #expect(ProcFile.fileSystem(of: "/proc/self/fd") == "proc")
    #expect(ProcFile.fileSystem(of: "/sys") == "sysfs")
    #expect(ProcFile.fileSystem(of: "/proc/self/status") == nil)
    // Through a symbolic link.
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "/proc")
    #expect(ProcFile.fileSystem(of: folder.file("link")) == "proc")
  }

  @Test func `mounts have any number of optional fields and may share a mount point`() {
    let mounts = """
      28 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
      29 28 0:31 /a - /media/My\\040Disk rw shared:2 master:3 - btrfs /dev/sda rw
      30 29 0:32 / /media/My\\040Disk rw - nfs4 host:/ rw
      31 28 0:33 / /cut
      """
    for (id, kind) in [("28", "ext4"), ("30", "nfs4"), ("31", nil), ("2", nil)] {
      #expect(ProcFile.fileSystem(ofMount: Substring(id), in: mounts) == kind)
    }
  }

  @Test func `a file longer than a page is read as a whole`() throws {
    let maps = try #require(ProcFile.text("/proc/self/maps"))
    #expect(maps.utf8.count > 4096 && maps.contains("[stack]"))
    #expect(ProcFile.text("/proc/none") == nil)
  }
}
