import Testing

extension ExitTest.Result? {
  /// The text that the exit test wrote to standard error, which it must observe.
  public var errorText: String { String(decoding: self?.standardErrorContent ?? [], as: UTF8.self) }
}
