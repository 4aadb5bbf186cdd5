import Observation

/// Tells whether `withObservationTracking` collects what is read. Each belongs to a context or a thread.
///
/// `Observation` does not say so, but while it collects, it hashes the key paths of what is read: that of the probe notes it. A
/// registrar for every model instead would take twice as much time and memory as the model.
final class ReadProbe: Observable {
  /// Retained by hand, so that a read need not retain it.
  @exclusivity(unchecked) private var registrar = Unmanaged.passRetained(Registrar())
  private let path: KeyPath<ReadProbe, Void>
  private let mark: Mark

  init() {
    mark = Mark()
    path = \ReadProbe.[Key(mark: mark)]
  }

  deinit { registrar.release() }

  private final class Registrar {
    let registrar = ObservationRegistrar()
  }

  /// Whether what is read now is collected.
  var isTracking: Bool {
    registrar._withUnsafeGuaranteedRef { $0.registrar.access(self, keyPath: path) }
    guard mark.isSet || !Self.isUsable else { return false }
    mark.isSet = false
    // The collection keeps the registrar's state, which would otherwise grow with every collection.
    registrar.release()
    registrar = .passRetained(Registrar())
    return true
  }

  /// Whether a probe notices tracking; otherwise every access has to be reported.
  private static let isUsable: Bool = {
    let probe = ReadProbe()
    withObservationTracking {
      ObservationRegistrar().access(probe, keyPath: probe.path)
    } onChange: {
    }
    return probe.mark.isSet
  }()

  private final class Mark {
    @exclusivity(unchecked) var isSet = false
  }

  private struct Key: Hashable {
    let mark: Mark

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.mark === rhs.mark }

    func hash(into hasher: inout Hasher) {
      mark.isSet = true
      hasher.combine(ObjectIdentifier(mark))
    }
  }

  private subscript(key: Key) -> Void {}
}
