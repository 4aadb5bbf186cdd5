import Glibc

/// Looks up files that are mapped into this process.
enum MappedFile {
  /// Returns the path of the file that is mapped at an address, with the suffix " (deleted)" if the file was unlinked.
  /// - Returns: nil if the address is not in a mapped file, or if /proc cannot be read.
  /// See https://man7.org/linux/man-pages/man5/proc_pid_maps.5.html
  static func path(at address: UnsafeRawPointer) -> String? {
    guard let maps = fopen("/proc/self/maps", "re") else { return nil }
    defer { fclose(maps) }
    let address = UInt(bitPattern: address)
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    // For example: 7f5c1a2b3000-7f5c1a2bb000 rw-s 00000000 08:01 1835023    /data/Quakes.sqlite-shm
    while getline(&line, &capacity, maps) > 0, let text = line {
      var rest: UnsafeMutablePointer<CChar>?
      let start = strtoul(text, &rest, 16)
      guard let dash = rest, strtoul(dash + 1, nil, 16) > address else { continue }
      guard start <= address, let path = strchr(text, Int32(UInt8(ascii: "/"))) else { return nil }
      path[strcspn(path, "\n")] = 0
      return String(cString: path)
    }
    return nil
  }
}
