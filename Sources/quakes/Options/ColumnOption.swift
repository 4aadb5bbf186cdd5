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
    let names = text.components(separatedBy: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    return try QuakeColumn.named(names) { ValidationError(QuakeColumn.unknownName($0)) }
  }
}
