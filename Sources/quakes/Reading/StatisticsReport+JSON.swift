import Foundation
import StrataQuakes

extension StatisticsReport {
  var json: String {
    var text = JSONText()
    text.object { json in
      json.integer("format_version", 1)
      json.integer("count", statistics.count)
      json.array("days") { array in
        for (day, count) in statistics.days(limit: days) {
          array.object { row in
            row.string("day", Self.day(day))
            row.integer("count", count)
          }
        }
      }
      json.object("magnitude_classes") { classes in
        for (name, _) in Self.classes { classes.integer(name, statistics.countsByClass[name] ?? 0) }
        classes.integer("unknown", statistics.withoutMagnitude)
      }
      json.object("other_event_types") { types in
        for (name, count) in statistics.countsByOtherType.sorted(by: { $0.key < $1.key }) { types.integer(name, count) }
      }
      writeFrequencies(to: &json)
      json.number("energy_joules", statistics.energy)
      json.number("energy_magnitude", statistics.magnitudeOfEnergy)
      if let largest = statistics.largest { json.quake("largest", largest) }
    }
    return text.text
  }

  private func writeFrequencies(to json: inout JSONText) {
    json.number("b_value", frequencies.bValue?.b)
    json.number("b_value_error", frequencies.bValue?.standardError)
    write("b_value_interval", frequencies.intervals?.b, to: &json)
    json.number("completeness_magnitude", frequencies.completeness)
    json.string("completeness_method", completenessMethod)
    write("completeness_interval", frequencies.intervals?.completeness, to: &json)
    json.integer("complete_count", frequencies.completeness.map { _ in frequencies.count })
    json.integer("required_count", BValue.minimumCount)
    json.array("completeness_estimates") { array in
      for estimate in frequencies.estimates {
        array.object { row in
          row.string("method", estimate.method.rawValue)
          row.number("magnitude", estimate.magnitude)
          row.number("fit_percent", estimate.fit)
          row.number("b_value", estimate.bValue?.b)
          row.number("b_value_error", estimate.bValue?.standardError)
          row.integer("count", estimate.bValue?.count)
        }
      }
    }
    write("completeness_range", frequencies.completenessRange, to: &json)
    write("b_value_range", frequencies.bRange, to: &json)
    write("networks", statistics.networks(of: frequencies), to: &json)
    write("magnitude_types", statistics.magnitudeTypes(of: frequencies), to: &json)
    json.array("warnings") { array in
      for warning in warnings {
        array.object { row in
          row.string("code", warning.code)
          row.string("message", warning.text())
        }
      }
    }
  }

  private var completenessMethod: String? {
    guard frequencies.completeness != nil else { return nil }
    return frequencies.isCompletenessGiven ? "given" : frequencies.estimates.first?.method.rawValue
  }

  /// Two numbers, or null.
  private func write(_ key: String, _ range: ClosedRange<Double>?, to json: inout JSONText) {
    guard let range else { return json.number(key, nil) }
    json.array(key) { array in
      array.number(range.lowerBound)
      array.number(range.upperBound)
    }
  }

  private func write(_ key: String, _ counts: [StatisticsWarning.NamedCount], to json: inout JSONText) {
    json.object(key) { object in
      for count in counts { object.integer(count.name, count.count) }
    }
  }
}
