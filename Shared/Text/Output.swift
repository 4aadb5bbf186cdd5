import Foundation

/// The output of a command on standard output.
public enum Output {
  /// - Returns: false if the reader is gone, which is not a failure.
  /// - Throws: `Failure` with status 74 if the text cannot be written for another reason.
  @discardableResult
  public static func write(_ text: OutputText) throws(Failure) -> Bool {
    try check { text == "" || StandardStream.output.write(text) }
  }

  /// Writes bytes, as `write` does.
  @discardableResult
  public static func write(_ data: Data) throws(Failure) -> Bool {
    try check { StandardStream.output.write(data) }
  }

  private static func check(_ write: () -> Bool) throws(Failure) -> Bool {
    errno = 0
    if write() { return true }
    let code = errno
    if code == EPIPE { return false }
    throw Failure(.outputFailed, "cannot write to standard output: \(Failure.systemError(code))")
  }

  /// Writes a line, as `write` does.
  @discardableResult
  public static func line(_ text: OutputText) throws(Failure) -> Bool { try write(text + "\n") }
}
