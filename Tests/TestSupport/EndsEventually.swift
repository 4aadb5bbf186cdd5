import Testing

extension Trait where Self == TimeLimitTrait {
  /// For tests of code that might never end: fails after ten minutes instead.
  ///
  /// A time limit includes the time in which a test waits for a thread, because the tests run in parallel. A shorter limit
  /// fails on a busy machine, so all tests use this one.
  public static var endsEventually: Self { .timeLimit(.minutes(10)) }
}
