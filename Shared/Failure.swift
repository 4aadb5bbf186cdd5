import Foundation

/// Why a program of Quakes fails: a message, an exit status and the cause.
public struct Failure: Error, CustomStringConvertible {
  public var status: ExitStatus
  /// The operation, its subject, the reason of the failure, and what helps.
  public var message: String
  public var cause: (any Error)?

  public init(_ status: ExitStatus, _ message: String, cause: (any Error)? = nil) {
    self.status = status
    self.message = message
    self.cause = cause
  }

  public var description: String { message }
}

extension Failure {
  /// The system's message for `errno`, such as "Permission denied".
  public static func systemError(_ code: Int32 = errno) -> String {
    String(cString: strerror(code))
  }

  /// The system's message for an error that Foundation threw: `errno` may have changed since.
  public static func systemError(of error: any Error) -> String {
    let thrown = error as NSError
    let cause = (thrown.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? thrown
    return cause.domain == NSPOSIXErrorDomain ? systemError(Int32(cause.code)) : thrown.localizedDescription
  }
}
