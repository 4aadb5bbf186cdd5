import Foundation

/// A property that holds the objects that a fetch request finds.
///
/// See <https://developer.apple.com/documentation/coredata/nsfetchedpropertydescription>
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
  /// The request as stored in the model; `fetchRequest` is its public form.
  package var template: FetchTemplate? {
    get { givenTemplate }
    set { edit(&givenTemplate, to: newValue) }
  }
  private var givenTemplate: FetchTemplate?

  /// Creates a fetched property. It is part neither of the store nor of the version hash.
  public override init() {
    super.init()
    isTransient = true
  }

  /// Creates a fetched property from an archive made by this framework; nil for any other archive.
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  package override func makeCopy() -> NSPropertyDescription {
    let copy = NSFetchedPropertyDescription()
    copy.copyContents(from: self)
    return copy
  }

  package override func hasSameContent(as other: NSPropertyDescription) -> Bool {
    guard let other = other as? NSFetchedPropertyDescription else { return false }
    return super.hasSameContent(as: other)
      && (template.map { template in other.template.map(template.asks(theSameAs:)) ?? false } ?? (other.template == nil))
  }

  package override func copyContents(from other: NSPropertyDescription) {
    super.copyContents(from: other)
    guard let other = other as? NSFetchedPropertyDescription else { return }
    template = other.template
  }
}
