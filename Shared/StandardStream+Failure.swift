import Foundation

extension StandardStream {
  /// Writes to standard output, and tells why if that fails.
  ///
  /// - Returns: false if the reader is gone, which is no failure.
  /// - Throws: `Failure` with status 74 if nothing can be written for another reason.
  @discardableResult
  public static func check(_ write: (StandardStream) -> Bool) throws(Failure) -> Bool {
    errno = 0
    if write(output) { return true }
    let code = errno
    if code == EPIPE { return false }
    throw Failure(.outputFailed, "cannot write to standard output: \(Failure.systemError(code))")
  }
}
