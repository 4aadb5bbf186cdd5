import ArgumentParser
import Foundation
import StrataQuakes

/// Which columns a table has. Commands have the option themselves, because no group of options contains another: see
/// `FilterOptions`.
enum ColumnOption {
  static let help = ArgumentHelp(
    """
    The columns of the table, such as magnitude,time,place: marks, when (the age), intensity, or any field of --json, \
    such as id, depth, felt, alert, status, region or city.
    """, valueName: "names")

  static func columns(_ text: String) throws -> [QuakeColumn] {
    try text.components(separatedBy: ",").map { word in
      let name = word.trimmingCharacters(in: .whitespaces)
      guard let column = QuakeColumn.named(name) else {
        throw ValidationError(QuakeColumn.unknownName(name))
      }
      return column
    }
  }
}
