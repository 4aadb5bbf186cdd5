import CoreData

/// The results of a fetch in batches: a batch is read when one of its elements is used, and released when another one is.
///
/// Use it where its context is used. An element whose model is deleted after the fetch cannot be used.
///
/// See <https://developer.apple.com/documentation/swiftdata/fetchresultscollection>
public struct FetchResultsCollection<Element>: RandomAccessCollection {
  public typealias Index = Int
  public typealias Indices = Range<Int>
  public typealias SubSequence = Slice<FetchResultsCollection<Element>>
  public typealias Iterator = IndexingIterator<FetchResultsCollection<Element>>

  private let batches: Batches

  init(_ ids: [NSManagedObjectID], batchSize: Int, read: @escaping (ArraySlice<NSManagedObjectID>) throws -> [Element])
  {
    batches = Batches(ids, batchSize, read)
  }

  /// 0.
  public var startIndex: Int { 0 }

  /// The number of results.
  public var endIndex: Int { batches.ids.count }

  /// Returns a result. A store that can no longer be read stops the program.
  public subscript(position: Int) -> Element { batches.element(position) }

  private final class Batches {
    let ids: [NSManagedObjectID]
    private let size: Int
    private let read: (ArraySlice<NSManagedObjectID>) throws -> [Element]
    private var current: (start: Int, elements: [Element]) = (0, [])

    init(
      _ ids: [NSManagedObjectID], _ size: Int, _ read: @escaping (ArraySlice<NSManagedObjectID>) throws -> [Element]
    ) {
      (self.ids, self.read, self.size) = (ids, read, size > 0 ? size : Swift.max(ids.count, 1))
    }

    func element(_ index: Int) -> Element {
      precondition(ids.indices.contains(index), "The index \(index) is not in 0..<\(ids.count)")
      let start = index / size * size
      if current.start != start || current.elements.isEmpty {
        do { current = (start, try read(ids[start..<Swift.min(start + size, ids.count)])) } catch {
          fatalError("A batch of a fetch cannot be read: \(error)")
        }
      }
      return current.elements[index - start]
    }
  }
}
