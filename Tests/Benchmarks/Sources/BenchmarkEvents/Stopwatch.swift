import BenchmarkData

/// Measures one stretch of work.
public final class Stopwatch {
  public private(set) var times = benchmark_times()

  public init() {}

  public func callAsFunction<T, E: Error>(_ work: () throws(E) -> T) throws(E) -> T {
    var result: Result<T, E>?
    withoutActuallyEscaping({ result = Result(catching: work) }) { run in
      let stretch = Stretch(run)
      times = benchmark_stretch(
        { Unmanaged<Stretch>.fromOpaque($0!).takeUnretainedValue().run() },  // never nil: the next line passes it
        Unmanaged.passUnretained(stretch).toOpaque())
    }
    return try result!.get()  // the stretch has run
  }

  /// A wrapper that lets C pass on a closure.
  private final class Stretch {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }
}
