import StrataRowStore

/// Any number of values in a single binding: integers, texts or blobs, without duplicates, in the order of an index.
package final class StoredList: @unchecked Sendable {
  // Sendable: immutable once made.

  package enum Kind: Sendable { case integers, texts, blobs }

  package let kind: Kind
  package let members: [ListMember]
  private let bytes: UnsafeMutableRawBufferPointer

  private init(_ kind: Kind, members: [ListMember], bytes: UnsafeMutableRawBufferPointer) {
    self.kind = kind
    self.members = members.sortedWithoutDuplicates()
    self.bytes = bytes
  }

  deinit { bytes.deallocate() }

  package convenience init(_ integers: [Int64]) {
    self.init(.integers, members: ListMember.list(of: integers), bytes: .allocate(byteCount: 0, alignment: 1))
  }

  /// nil if the values are not all integers, all texts or all blobs: others may be equal although their bytes differ.
  package convenience init?(_ values: [StoredValue]) {
    switch values.first {
    case .integer:
      let integers = values.compactMap { if case .integer(let integer) = $0 { integer } else { nil } }
      guard integers.count == values.count else { return nil }
      self.init(integers)
    case .text: self.init(.texts, of: values)
    case .blob: self.init(.blobs, of: values)
    case .null, .real, .list, nil: return nil
    }
  }

  private convenience init?(_ kind: Kind, of values: [StoredValue]) {
    var count = 0
    for value in values {
      switch (value, kind) {
      case (.text(let text), .texts): count += text.utf8.count
      case (.blob(let blob), .blobs): count += blob.count
      default: return nil
      }
    }
    var copies = ListCopies(capacity: values.count, byteCount: count)
    for value in values {
      switch value {
      case .text(let text): copies.append(text)
      case .blob(let blob): copies.append(blob)
      case .null, .integer, .real, .list: break
      }
    }
    self.init(kind, members: copies.members, bytes: copies.bytes)
  }

  package var values: [StoredValue] {
    switch kind {
    case .integers: members.map { .integer($0.integer) }
    case .texts: members.map { .text(String(decoding: $0.bytes, as: UTF8.self)) }
    case .blobs: members.map { .blob(Array($0.bytes)) }
    }
  }
}

extension StoredList: Hashable {
  package static func == (left: StoredList, right: StoredList) -> Bool { left.values == right.values }

  package func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
