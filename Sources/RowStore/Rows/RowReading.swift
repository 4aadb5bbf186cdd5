import StrataManagedModel

/// The reading of one entity's rows: only stored slots, grouped by the way they are filled.
@usableFromInline
package final class RowReading: @unchecked Sendable {
  // Sendable: immutable once made.

  /// The conversion of a column's value to a slot's.
  @usableFromInline
  package enum Filling: UInt8, Sendable {
    case double, integer, boolean, reference, text, bytes, decimal, uuid, external
  }

  /// Slots that are filled in the same way, in a loop of their own. Pointers, as copying a slot to the stack costs as
  /// much as reading its value.
  @usableFromInline
  package typealias Run = Range<UnsafePointer<Slot>>

  /// A stored slot and its columns: see `RowShape.SlotSource`.
  @usableFromInline
  package struct Slot: Sendable {
    @usableFromInline package let number: Int
    @usableFromInline package let column: Int
    @usableFromInline package let entityColumn: Int
    @usableFromInline package let destination: Int
    @usableFromInline package let filling: Filling
  }

  @usableFromInline package let layout: EntityLayout
  /// Unmanaged memory, which is read without reference counting.
  private let slots: UnsafeBufferPointer<Slot>
  @usableFromInline package let doubles, integers, booleans, references, texts, others: Run
  /// The slots that are not stored, and the null words of a row in which only their bits are set.
  @usableFromInline package let absent: UnsafeBufferPointer<Int>
  @usableFromInline package let nulls: UnsafeBufferPointer<UInt64>
  /// A first estimate of a row's size in bytes.
  package let estimatedSize: Int

  init(_ shape: RowShape.EntityShape) {
    layout = shape.layout
    var slots: [Slot] = []
    var absent: [Int] = []
    var nulls: [UInt64] = Array(repeating: 0, count: layout.nullWords)
    for (number, source) in shape.slots.enumerated() {
      if source.column >= 0, let filling = Filling(source) {
        slots.append(
          Slot(
            number: number, column: Int(source.column), entityColumn: Int(source.entityColumn),
            destination: source.destination, filling: filling))
      } else {
        absent.append(number)
        nulls[number / 64] |= 1 << UInt64(number % 64)
      }
    }
    estimatedSize = layout.stride * 8 + layout.slots.count { $0.kind.isOnHeap } * 24
    let kept = Self.kept(slots.sorted { $0.filling.rawValue < $1.filling.rawValue })
    func run(_ fillings: ClosedRange<Filling.RawValue>) -> Run {
      let first = kept.count { $0.filling.rawValue < fillings.lowerBound }
      let start = UnsafePointer(kept.baseAddress.unsafelyUnwrapped) + first
      return start..<start + kept.count { fillings.contains($0.filling.rawValue) }
    }
    func run(_ filling: Filling) -> Run { run(filling.rawValue...filling.rawValue) }
    (doubles, integers, booleans) = (run(.double), run(.integer), run(.boolean))
    (references, texts) = (run(.reference), run(.text))
    others = run((Filling.text.rawValue + 1)...Filling.RawValue.max)
    self.slots = kept
    self.absent = Self.kept(absent)
    self.nulls = Self.kept(nulls)
  }

  private static func kept<Element>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = memory.initialize(from: elements)
    return UnsafeBufferPointer(memory)
  }

  deinit {
    slots.deallocate()
    absent.deallocate()
    nulls.deallocate()
  }
}

extension RowReading.Filling {
  init?(_ source: RowShape.SlotSource) {
    switch source.kind {
    case .integer16, .integer32, .integer64: self = .integer
    case .boolean: self = .boolean
    case .double, .float, .date: self = .double
    case .string, .uri: self = .text
    case .data, .transformable: self = source.isExternal ? .external : .bytes
    case .uuid: self = .uuid
    case .decimal: self = .decimal
    case .toOne: self = .reference
    case .object: return nil
    }
  }
}
