import Foundation
import StrataManagedModel
import StrataRowStore

extension AttributeLayout {
  /// The default value as a column holds it; NULL without a default value, or if it is transformable.
  /// - Parameters:
  ///   - kind: the kind of the attribute's slot.
  ///   - external: whether the column marks data that may be in files.
  ///   - decimalsAreTexts: whether the engine takes decimals as texts.
  func storedDefault(of kind: SlotKind, external: Bool, decimalsAreTexts: Bool) -> StoredValue {
    switch (kind, defaultValue) {
    case (.integer16, let number as NSNumber), (.integer32, let number as NSNumber),
      (.integer64, let number as NSNumber), (.boolean, let number as NSNumber):
      .integer(number.int64Value)
    case (.decimal, let number as NSDecimalNumber) where decimalsAreTexts: .text(number.decimalValue.description)
    case (.double, let number as NSNumber), (.float, let number as NSNumber), (.decimal, let number as NSNumber):
      .real(number.doubleValue)
    case (.date, let date as Date): .real(date.timeIntervalSinceReferenceDate)
    case (.string, let text as String): .text(text)
    case (.uri, let url as URL): .text(url.absoluteString)
    case (.uuid, let uuid as UUID): .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case (.data, let data as Data): .blob((external ? [1] : []) + Array(data))
    default: .null
    }
  }
}
