import Foundation

/// Section indexes, which UIKit and AppKit add to Foundation's type on Apple's systems.
extension IndexPath {
  /// Creates the index path of an item in a section.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

  /// Creates the index path of a row in a section.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  /// The index of the section. The index path must have two indexes.
  public var section: Int {
    get { self[0] }
    set { self[0] = newValue }
  }

  /// The index of the item in its section. The index path must have two indexes.
  public var item: Int {
    get { self[1] }
    set { self[1] = newValue }
  }

  /// The index of the row in its section: the same as `item`.
  public var row: Int {
    get { item }
    set { item = newValue }
  }
}
