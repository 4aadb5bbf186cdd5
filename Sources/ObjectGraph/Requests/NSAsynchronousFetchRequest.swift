import Foundation
import StrataRowStore

/// A fetch that runs in the background: the store is read on another thread, and the objects are created on the
/// context's queue.
///
/// ```swift
/// let quakes = NSFetchRequest<Quake>(entityName: "Quake")
/// let request = NSAsynchronousFetchRequest(fetchRequest: quakes) { result in
///   print(result.finalResult?.count ?? 0, result.operationError ?? "no error")
/// }
/// try context.execute(request)
/// ```
///
/// See <https://developer.apple.com/documentation/coredata/nsasynchronousfetchrequest>
open class NSAsynchronousFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest, ContextRequest {
  /// The fetch request. It is copied when the asynchronous request is executed.
  public let fetchRequest: NSFetchRequest<ResultType>

  /// The expected number of results, for the progress; 0 if unknown.
  public var estimatedResultCount = 0

  private let completion: ((NSAsynchronousFetchResult<ResultType>) -> Void)?

  /// The block that is called on the context's queue when the fetch has ended.
  ///
  /// Without Objective-C, generic classes have no variance, so a block for another result type receives a copy of the
  /// result.
  public var completionBlock: NSPersistentStoreAsynchronousFetchResultCompletionBlock? {
    if let same = completion as? NSPersistentStoreAsynchronousFetchResultCompletionBlock { return same }
    return completion.map { [self] block in { block(NSAsynchronousFetchResult(self, like: $0)) } }
  }

  /// Creates an asynchronous fetch.
  /// - Parameters:
  ///   - request: what to fetch.
  ///   - blk: called on the context's queue when the fetch has ended, even with an error or after a cancellation.
  public init(
    fetchRequest request: NSFetchRequest<ResultType>,
    completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
  ) {
    fetchRequest = request
    completion = blk
    super.init()
  }

  package func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    let result = NSAsynchronousFetchResult(self, in: context)
    let fetch = try AsynchronousFetch(fetchRequest.duplicate(), of: result, in: context, completion)
    fetch.begin()
    return result
  }
}

/// A block that is called when an asynchronous fetch has ended.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock = (
  NSAsynchronousFetchResult<any NSFetchRequestResult>
) -> Void

/// The result of a request that continues after `execute(_:)` has returned.
///
/// See <https://developer.apple.com/documentation/coredata/nspersistentstoreasynchronousresult>
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
  /// The context that executes the request.
  public let managedObjectContext: NSManagedObjectContext

  /// The error of the request, `CocoaError.userCancelled` after a cancellation; nil until it has ended.
  public fileprivate(set) var operationError: (any Error)?

  /// The progress of the request: a child of the progress that was current when the request was executed.
  ///
  /// Its units are results. Without an estimate it is indeterminate until the end. Canceling it cancels the request.
  public let progress: Progress?

  fileprivate init(in context: NSManagedObjectContext, _ progress: Progress?) {
    managedObjectContext = context
    self.progress = progress
    super.init()
  }

  /// Ends the request without a result as soon as possible. A read that has begun is not interrupted, and a request
  /// that has ended does not change. Any thread may call it.
  public func cancel() { progress?.cancel() }
}

/// The result of an asynchronous fetch.
///
/// See <https://developer.apple.com/documentation/coredata/nsasynchronousfetchresult>
open class NSAsynchronousFetchResult<ResultType: NSFetchRequestResult>: NSPersistentStoreAsynchronousResult {
  /// The request that was executed.
  public let fetchRequest: NSAsynchronousFetchRequest<ResultType>

  /// The fetched objects; nil until the fetch has ended, and after an error.
  public fileprivate(set) var finalResult: [ResultType]?

  init(_ request: NSAsynchronousFetchRequest<ResultType>, in context: NSManagedObjectContext) {
    fetchRequest = request
    super.init(
      in: context, Progress(totalUnitCount: request.estimatedResultCount > 0 ? Int64(request.estimatedResultCount) : -1)
    )
  }

  fileprivate init<Other>(
    _ request: NSAsynchronousFetchRequest<ResultType>, like other: NSAsynchronousFetchResult<Other>
  ) {
    fetchRequest = request
    super.init(in: other.managedObjectContext, other.progress)
    operationError = other.operationError
    finalResult = other.finalResult.map { $0.compactMap { $0 as? ResultType } }
  }
}

/// A fetch in progress: read on another thread, finished on the context's queue.
private final class AsynchronousFetch<ResultType: NSFetchRequestResult>: @unchecked Sendable {
  // Sendable: one queue uses it after the other.

  private let result: NSAsynchronousFetchResult<ResultType>
  private let context: NSManagedObjectContext
  private let reading: NSManagedObjectContext.Reading<ResultType>
  private let completion: ((NSAsynchronousFetchResult<ResultType>) -> Void)?

  init(
    _ request: NSFetchRequest<ResultType>, of result: NSAsynchronousFetchResult<ResultType>,
    in context: NSManagedObjectContext, _ completion: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
  ) throws {
    self.result = result
    self.context = context
    self.completion = completion
    reading = try context.reading(for: request)
  }

  func begin() {
    DispatchQueue.global().async { [self] in
      let outcome = Result { try whileWanted { try reading() } }
      nonisolated(unsafe) let end = outcome
      context.perform { [self] in finish(Result { try whileWanted { try end.get()() } }) }
    }
  }

  private func whileWanted<Answer>(_ body: () throws -> Answer) throws -> Answer {
    if result.progress?.isCancelled == true { throw CocoaError(.userCancelled) }
    return try body()
  }

  private func finish(_ outcome: Result<[ResultType], any Error>) {
    switch outcome {
    case .success(let found):
      result.finalResult = found
      result.progress?.totalUnitCount = Int64(found.count)
      result.progress?.completedUnitCount = Int64(found.count)
    case .failure(let error): result.operationError = error
    }
    completion?(result)
  }
}

extension NSManagedObjectContext {
  /// A fetch in two parts: the first may run on any thread, and returns the second, which the context's queue runs.
  fileprivate typealias Reading<T> = () throws -> () throws -> [T]

  fileprivate func reading<T>(for request: NSFetchRequest<T>) throws -> Reading<T> {
    let source = try requireSource()
    // A parent must be queried on this context's queue.
    if parent != nil { return { { try self.fetch(request) } } }
    switch request.resultType {
    case .dictionaryResultType:
      let (columns, query) = try dictionaryQuery(for: request)
      guard let query else { return { { [] } } }
      return {
        let table = try storeErrors { try source.values(for: query) }
        return { try self.dictionaries(of: table, columns, for: request) }
      }
    case .managedObjectResultType where request.includesPropertyValues && request.fetchBatchSize == 0:
      let operation = try FetchOperation(request, in: self)
      return {
        let rows = try storeErrors { try source.rows(for: operation.query) }
        return { try operation.results(in: rows) }
      }
    default: return { { try self.fetch(request) } }
    }
  }
}
