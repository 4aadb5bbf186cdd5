import Synchronization

/// The results and errors of several threads.
final class Collected<Value: Sendable>: Sendable {
  private let all = Mutex<(values: [Value], errors: [any Error])>(([], []))

  var values: [Value] { all.withLock { $0.values } }
  var errors: [any Error] { all.withLock { $0.errors } }

  func add(_ make: () throws -> Value) {
    let result = Result { try make() }
    all.withLock {
      switch result {
      case .success(let value): $0.values.append(value)
      case .failure(let error): $0.errors.append(error)
      }
    }
  }
}
