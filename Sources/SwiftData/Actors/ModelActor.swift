/// Runs the code of a model actor.
///
/// See <https://developer.apple.com/documentation/swiftdata/modelexecutor>
public protocol ModelExecutor: Executor {
  /// The context that the code uses.
  var modelContext: ModelContext { get }
}

/// Runs the code of a model actor, one piece at a time.
///
/// See <https://developer.apple.com/documentation/swiftdata/serialmodelexecutor>
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

/// An actor with a context of its own. `@ModelActor` makes an actor conform to it.
///
/// ```swift
/// @ModelActor actor Importer {
///   func add(_ titles: [String]) throws {
///     for title in titles { modelContext.insert(Book(title: title)) }
///     try modelContext.save()
///   }
/// }
/// try await Importer(modelContainer: container).add(["Orlando"])
/// ```
///
/// Models stay in the actor: pass their identifiers to others.
///
/// See <https://developer.apple.com/documentation/swiftdata/modelactor>
public protocol ModelActor: Actor {
  /// The container of the actor's context.
  nonisolated var modelContainer: ModelContainer { get }

  /// The executor that runs the actor's code.
  nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
  /// The actor's context.
  public var modelContext: ModelContext { modelExecutor.modelContext }

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    guard let executor = modelExecutor as? any SerialModelExecutor else {
      fatalError("\(type(of: modelExecutor)) is not a SerialModelExecutor, which an actor needs")
    }
    return executor.asUnownedSerialExecutor()
  }

  /// Returns the model with an identifier; nil if the store does not have it.
  public subscript<T>(id: PersistentIdentifier, as as: T.Type) -> T? where T: PersistentModel {
    modelContext.existingModel(for: id) as? T
  }
}
