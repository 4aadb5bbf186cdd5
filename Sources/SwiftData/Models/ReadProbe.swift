import Observation

/// Tells whether `withObservationTracking` collects what is read. Each is used by one thread at a time.
///
/// `Observation` does not say so, but while it collects, it hashes the key paths of what is read: that of the probe notes it. A
/// registrar for every model instead would take twice as much time and memory as the model.
final class ReadProbe: Observable {
  @exclusivity(unchecked) private var registrar = ObservationRegistrar()
  private let path: KeyPath<ReadProbe, Void>
  private let mark: Mark

  init() {
    mark = Mark()
    path = \ReadProbe.[Key(mark: mark)]
  }

  /// Whether what is read now is collected.
  var isTracking: Bool {
    registrar.access(self, keyPath: path)
    guard mark.isSet || !Self.isUsable else { return false }
    mark.isSet = false
    // The collection keeps the registrar's state, which would otherwise grow with every collection.
    registrar = ObservationRegistrar()
    return true
  }

  /// Whether a probe notices tracking; otherwise every access has to be reported.
  private static let isUsable: Bool = {
    let probe = ReadProbe()
    withObservationTracking {
      probe.registrar.access(probe, keyPath: probe.path)
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
