import Foundation
import StrataQuakes

/// What a command says on standard output.
enum Output {
  /// - Returns: false if the reader is gone, which is no failure.
  /// - Throws: `Failure` with status 74 if the text cannot be written for another reason.
  @discardableResult
  static func write(_ text: OutputText) throws(Failure) -> Bool {
    try StandardStream.check { text == "" || $0.write(text) }
  }

  /// Writes what is no text, as `write` does.
  @discardableResult
  static func write(_ data: Data) throws(Failure) -> Bool {
    try StandardStream.check { $0.write(data) }
  }

  /// Writes a line, as `write` does.
  @discardableResult
  static func line(_ text: OutputText) throws(Failure) -> Bool { try write(text + "\n") }
}
